"""Takes a claim's CDI spec for used up once the next claim is prepared, so that no container of it can start anew."""

from typing import Any

from reference_driver import gpu, plugin

FAULT = "M54"
CAUGHT_BY = ("injection.two_claims",)
ALSO = {
    "admin.beside_owner": "the owner's spec is gone once the claim with admin access is prepared",
}
BREAKS = ("CDI-06",)


class Cdi(plugin.CdiFolder):
    def write(self, uid: str, spec: dict[str, Any]) -> None:
        for path in self.path(uid).parent.glob("*.json"):
            if path != self.path(uid):
                path.unlink(missing_ok=True)
        super().write(uid, spec)


def main() -> int:
    return gpu.main(parts=plugin.Parts(cdi=Cdi))


if __name__ == "__main__":
    raise SystemExit(main())
