"""Takes its registration socket away when a kubelet refuses it."""

from typing import Any

from reference_driver import gpu, plugin
from reference_driver.plugin.dra_api import pluginregistration_pb2 as messages

FAULT = "S35"
CAUGHT_BY = ("registration.refused",)
BREAKS = ("REG-13",)


class Registration(plugin.RegistrationServer):
    def NotifyRegistrationStatus(
        self, request: messages.RegistrationStatus, context: Any
    ) -> messages.RegistrationStatusResponse:
        if not request.plugin_registered:
            self.grpc.stop(None)
        return super().NotifyRegistrationStatus(request, context)


def main() -> int:
    return gpu.main(parts=plugin.Parts(registration=Registration))


if __name__ == "__main__":
    raise SystemExit(main())
