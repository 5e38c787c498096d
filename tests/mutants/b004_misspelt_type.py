"""The type in GetInfo is DRAplugin instead of DRAPlugin."""

from typing import Any

from tests.mutants.wrapper import Fault, run
from tests.mutants.wrapper.fault import Send

FAULT = "B004"
BREAKS = ("REG-04",)
CAUGHT_BY = ("registration.registers",)
WRAPS = ("reference", "kubernetes-test-driver")


class Wrong(Fault):
    def get_info(self, request: Any, send: Send) -> Any:
        info = send(request)
        info.type = "DRAplugin"
        return info


def main() -> int:
    return run(Wrong)


if __name__ == "__main__":
    raise SystemExit(main())
