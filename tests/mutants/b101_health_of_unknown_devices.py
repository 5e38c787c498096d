"""Health is reported under names that no slice has."""

from typing import Any

from tests.mutants.wrapper import Fault, run

FAULT = "B101"
BREAKS = ("HLT-05",)
CAUGHT_BY = ("health.refreshed",)
WRAPS = ("reference", "kubernetes-test-driver")
HEALTHY = 1


class Wrong(Fault):
    def health(self, message: Any) -> Any:
        if not message.devices:  # the test driver tells of none, and of these every 2 s
            message.devices.add(device={"pool_name": self.place.node, "device_name": "0"}, health=HEALTHY)
        for entry in message.devices:
            entry.device.device_name = f"hw-{entry.device.device_name}"
        return message


def main() -> int:
    return run(Wrong)


if __name__ == "__main__":
    raise SystemExit(main())
