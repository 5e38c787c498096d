"""It lists the services that it offers from the oldest to the newest."""

from typing import Any

from tests.mutants.wrapper import Fault, run
from tests.mutants.wrapper.fault import Send

FAULT = "B016"
BREAKS = ("REG-09",)
CAUGHT_BY = ("registration.advertised_services",)
WRAPS = ("reference", "kubernetes-test-driver")


class Wrong(Fault):
    def get_info(self, request: Any, send: Send) -> Any:
        info = send(request)
        dra = [version for version in info.supported_versions if version.endswith("DRAPlugin")]
        others = [version for version in info.supported_versions if version not in dra]
        info.supported_versions[:] = [*sorted(dra, reverse=True), *others]
        return info


def main() -> int:
    return run(Wrong)


if __name__ == "__main__":
    raise SystemExit(main())
