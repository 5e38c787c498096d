"""Takes the reservations of a claim away when it has unprepared it, as if it were the claim's controller."""

from contextlib import suppress

from reference_driver import gpu, plugin

FAULT = "S54"
BREAKS = ("STS-04",)
CAUGHT_BY = ("status.claim_left_alone",)


class Handler(plugin.ClaimHandler):
    def _unprepare(self, ref: plugin.ClaimRef) -> plugin.Answer:
        answer = super()._unprepare(ref)
        with suppress(plugin.KubeError):
            path = self.reader._client.resource_path("resourceclaims", ref.name, ref.namespace)
            claim = self.reader._client.get(path)
            claim["status"].pop("reservedFor", None)
            self.reader._client.update(f"{path}/status", claim)
        return answer


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
