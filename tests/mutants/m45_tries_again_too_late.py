"""Tries again by itself when a claim could not be prepared, also after the claim was unprepared."""

import threading
from collections.abc import Sequence

from reference_driver import gpu, plugin

FAULT = "M45"
CAUGHT_BY = ("unpreparing.late_retry",)
BREAKS = ("UNP-07",)
PAUSE = 0.5  # seconds


class Handler(plugin.ClaimHandler):
    def prepare(self, refs: Sequence[plugin.ClaimRef], deadline: plugin.Deadline) -> dict[str, plugin.Answer]:
        answers = super().prepare(refs, deadline)
        failed = [
            ref for ref in refs if "cannot be read" in answers[ref.uid].error or "not exist" in answers[ref.uid].error
        ]
        if failed:
            threading.Thread(target=self._try_again, args=(failed,), daemon=True).start()
        return answers

    def _try_again(self, refs: Sequence[plugin.ClaimRef]) -> None:
        for _ in range(3):
            threading.Event().wait(PAUSE)
            answers = super().prepare(refs, plugin.Deadline())
            if not any(answer.error for answer in answers.values()):
                return


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
