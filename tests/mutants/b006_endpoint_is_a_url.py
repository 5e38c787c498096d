"""The endpoint in GetInfo is a unix:// URL, not a path."""

from pathlib import Path
from typing import Any

from reference_driver import gpu, plugin

FAULT = "B006"
BREAKS = ("REG-07",)
CAUGHT_BY = ("registration.registers",)


def registration(path: Path, driver: str, endpoint: Path, versions: Any) -> plugin.RegistrationServer:
    return UrlEndpoint(path, driver, endpoint, versions)


class UrlEndpoint(plugin.RegistrationServer):
    def GetInfo(self, request: Any, context: Any) -> Any:
        info = super().GetInfo(request, context)
        info.endpoint = f"unix://{info.endpoint}"
        return info


def main() -> int:
    return gpu.main(parts=plugin.Parts(registration=registration))


if __name__ == "__main__":
    raise SystemExit(main())
