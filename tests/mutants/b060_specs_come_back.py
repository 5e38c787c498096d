"""CDI specs are there again after Unprepare."""

from typing import Any

from tests.mutants.wrapper import Fault, run
from tests.mutants.wrapper.fault import Send

FAULT = "B060"
BREAKS = ("UNP-07",)
CAUGHT_BY = ("unpreparing.cleans_up",)
WRAPS = ("reference", "kubernetes-test-driver")


class Wrong(Fault):
    def unprepare(self, request: Any, send: Send) -> Any:
        specs = {path: path.read_bytes() for path in self.place.cdi_dir.glob("*.json")}
        answer = send(request)
        for path, content in specs.items():
            if not path.exists():
                path.write_bytes(content)
        return answer


def main() -> int:
    return run(Wrong)


if __name__ == "__main__":
    raise SystemExit(main())
