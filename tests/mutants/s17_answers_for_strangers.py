"""Its answer to Unprepare of a claim that it does not know has an entry for another claim, too."""

from collections.abc import Sequence

from reference_driver import gpu, plugin

FAULT = "S17"
CAUGHT_BY = ("unpreparing.unknown_claim",)
BREAKS = ("UNP-01",)


class Handler(plugin.ClaimHandler):
    def unprepare(self, refs: Sequence[plugin.ClaimRef], deadline: plugin.Deadline) -> dict[str, plugin.Answer]:
        known = all(self.checkpoint.get(ref.uid) for ref in refs)
        answers = super().unprepare(refs, deadline)
        return answers if known else {**answers, "a-stranger": plugin.Answer()}


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
