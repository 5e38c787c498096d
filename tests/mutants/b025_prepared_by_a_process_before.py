"""A claim that an earlier process prepared cannot be prepared again."""

from typing import Any

from reference_driver import gpu, plugin

FAULT = "B025"
BREAKS = ("PREP-07",)
CAUGHT_BY = ("restart.reboot", "restart.recovers")


class Forgetful(plugin.ClaimHandler):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._mine: set[str] = set()

    def _prepare(self, claim: plugin.Claim) -> plugin.Answer:
        if self.checkpoint.get(claim.uid) and claim.uid not in self._mine:
            raise plugin.ClaimError(f"claim {claim.ref} is prepared already")
        self._mine.add(claim.uid)
        return super()._prepare(claim)


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Forgetful))


if __name__ == "__main__":
    raise SystemExit(main())
