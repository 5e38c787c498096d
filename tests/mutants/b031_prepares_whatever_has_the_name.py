"""It prepares the claim that has the name now, whatever UID was asked for."""

from dataclasses import replace

from reference_driver import gpu, plugin

FAULT = "B031"
BREAKS = ("PREP-12",)
CAUGHT_BY = ("preparation.wrong_claim",)


class ByName(plugin.ClaimReader):
    def read(self, ref: plugin.ClaimRef, timeout: float | None = None) -> plugin.Claim:
        try:
            obj = self._get(ref, timeout)
        except plugin.KubeError as error:
            raise plugin.ClaimError(f"claim {ref} cannot be read: {error}") from error
        return replace(plugin.Claim.from_object(obj, self._driver), ref=ref)


def main() -> int:
    return gpu.main(parts=plugin.Parts(reader=ByName))


if __name__ == "__main__":
    raise SystemExit(main())
