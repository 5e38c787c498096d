"""The CDI device ids lack the vendor."""

from typing import Any

from tests.mutants.wrapper import Fault, run
from tests.mutants.wrapper.fault import Send

FAULT = "B028"
BREAKS = ("PREP-09",)
CAUGHT_BY = ("injection.specs_resolve",)
WRAPS = ("reference", "kubernetes-test-driver")


class Wrong(Fault):
    def prepare(self, request: Any, send: Send) -> Any:
        answer = send(request)
        for entry in answer.claims.values():
            for device in entry.devices:
                device.cdi_device_ids[:] = [id.partition("/")[2] for id in device.cdi_device_ids]
        return answer


def main() -> int:
    return run(Wrong)


if __name__ == "__main__":
    raise SystemExit(main())
