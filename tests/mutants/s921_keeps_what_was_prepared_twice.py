"""Refuses to unprepare a claim for which it was asked twice, as if somebody else still used it."""

from collections import Counter

from reference_driver import gpu, plugin

FAULT = "S921"
CAUGHT_BY = ("unpreparing.in_vain",)
ALSO = {
    "allocation.selected_capacity": "it may get a device that is kept",
    "alternatives.chosen": "it may get a device that is kept",
    "preparation.each_node": "it may get a device that is kept",
    "preparation.invalid_config": "a claim with an invalid configuration was asked for more than once",
}
BREAKS = ("UNP-07",)


class Handler(plugin.ClaimHandler):
    def __init__(self, *args: object, **more: object) -> None:
        super().__init__(*args, **more)  # type: ignore[arg-type]
        self._users: Counter[str] = Counter()

    def _prepare(self, claim: plugin.Claim) -> plugin.Answer:
        self._users[claim.uid] += 1
        return super()._prepare(claim)

    def _unprepare(self, ref: plugin.ClaimRef) -> plugin.Answer:
        if self._users[ref.uid] > 1:
            return plugin.Answer(error=f"claim {ref} is still used")
        return super()._unprepare(ref)


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
