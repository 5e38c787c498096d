"""The answer also has the entry of the claim that was prepared before."""

from typing import Any

from tests.mutants.wrapper import Fault, Place, run
from tests.mutants.wrapper.fault import Send

FAULT = "B020"
BREAKS = {
    "reference": ("PREP-02", "PREP-01", "PREP-08"),
    "kubernetes-test-driver": ("PREP-02", "PREP-08"),
}
CAUGHT_BY = {
    "reference": ("preparation.batch", "preparation.every_answer", "preparation.failed_write"),
    "kubernetes-test-driver": ("preparation.every_answer", "preparation.failed_write"),
}
WRAPS = ("reference", "kubernetes-test-driver")


class Wrong(Fault):
    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self._before: dict[str, bytes] = {}

    def prepare(self, request: Any, send: Send) -> Any:
        answer = send(request)
        entries = {uid: entry.SerializeToString() for uid, entry in answer.claims.items()}
        for uid, entry in self._before.items():
            answer.claims[uid].ParseFromString(entry)
        self._before = entries
        return answer


def main() -> int:
    return run(Wrong)


if __name__ == "__main__":
    raise SystemExit(main())
