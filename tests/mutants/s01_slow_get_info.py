"""Takes longer for GetInfo than the second that the kubelet waits."""

import time
from typing import Any

from reference_driver import gpu, plugin

FAULT = "S01"
CAUGHT_BY = ("registration.registers",)
BREAKS = ("REG-03",)


class Registration(plugin.RegistrationServer):
    def GetInfo(self, request: Any, context: Any) -> Any:
        time.sleep(1.5)
        return super().GetInfo(request, context)


def main() -> int:
    return gpu.main(parts=plugin.Parts(registration=Registration))


if __name__ == "__main__":
    raise SystemExit(main())
