"""It advertises the bare versions 1.0.0 and v1 instead of names of services."""

from typing import Any

from tests.mutants.wrapper import Fault, run
from tests.mutants.wrapper.fault import Send

FAULT = "B007"
BREAKS = ("REG-08",)
CAUGHT_BY = ("registration.registers",)
WRAPS = ("reference", "kubernetes-test-driver")


class Wrong(Fault):
    def get_info(self, request: Any, send: Send) -> Any:
        info = send(request)
        info.supported_versions[:] = ["1.0.0", "v1"]
        return info


def main() -> int:
    return run(Wrong)


if __name__ == "__main__":
    raise SystemExit(main())
