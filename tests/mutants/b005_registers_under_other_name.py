"""It registers under another name than that in its slices."""

from typing import Any

from tests.mutants.wrapper import Fault, run
from tests.mutants.wrapper.fault import Send

FAULT = "B005"
BREAKS = ("REG-05",)
CAUGHT_BY = ("registration.registers",)
WRAPS = ("reference", "kubernetes-test-driver")


class Wrong(Fault):
    def get_info(self, request: Any, send: Send) -> Any:
        info = send(request)
        info.name = f"node.{info.name}"
        return info


def main() -> int:
    return run(Wrong)


if __name__ == "__main__":
    raise SystemExit(main())
