"""Leaves the remaining claims of an Unprepare alone once one of them has failed."""

from collections.abc import Sequence

from reference_driver import gpu, plugin

FAULT = "S52"
BREAKS = ("UNP-09",)
CAUGHT_BY = ("unpreparing.batch",)


class Handler(plugin.ClaimHandler):
    def unprepare(self, refs: Sequence[plugin.ClaimRef], deadline: plugin.Deadline) -> dict[str, plugin.Answer]:
        answers: dict[str, plugin.Answer] = {}
        for ref in refs:
            failed = any(answer.error for answer in answers.values())
            skipped = plugin.Answer(error="not tried, as another claim could not be unprepared")
            answers |= {ref.uid: skipped} if failed else super().unprepare([ref], deadline)
        return answers


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
