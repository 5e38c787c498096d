"""Its registration socket has a name that begins with a dot."""

from pathlib import Path
from typing import Any

from reference_driver import gpu, plugin

FAULT = "B001"
BREAKS = ("REG-01",)
CAUGHT_BY = ("registration.registers",)


def registration(path: Path, *rest: Any) -> plugin.RegistrationServer:
    return plugin.RegistrationServer(path.with_name(f".{path.name}"), *rest)


def main() -> int:
    return gpu.main(parts=plugin.Parts(registration=registration))


if __name__ == "__main__":
    raise SystemExit(main())
