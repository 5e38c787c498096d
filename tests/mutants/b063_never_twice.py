"""A claim that was unprepared cannot be prepared again."""

from typing import Any

from reference_driver import gpu, plugin

FAULT = "B063"
BREAKS = ("UNP-10",)
CAUGHT_BY = ("unpreparing.device_free",)
ALSO = {
    "preparation.allocated_anew": "it prepares a claim anew that was unprepared",
    "preparation.failed_write": "it prepares a claim anew that was unprepared",
    "preparation.overlapping_calls": "it prepares a claim anew that was unprepared",
}


class Once(plugin.ClaimHandler):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._over: set[str] = set()

    def _prepare(self, claim: plugin.Claim) -> plugin.Answer:
        if claim.uid in self._over:
            raise plugin.ClaimError(f"claim {claim.ref} is over")
        return super()._prepare(claim)

    def _unprepare(self, ref: plugin.ClaimRef) -> plugin.Answer:
        self._over.add(ref.uid)
        return super()._unprepare(ref)


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Once))


if __name__ == "__main__":
    raise SystemExit(main())
