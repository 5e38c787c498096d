"""Has its DRA socket in the kubelet's folder for all plugins, and not in one that carries its name."""

from pathlib import Path

from reference_driver import gpu, plugin

FAULT = "S34"
CAUGHT_BY = ("registration.names",)
BREAKS = ("REG-22",)


class Service(plugin.DraServer):
    def __init__(self, path: Path, handler: plugin.ClaimHandler) -> None:
        super().__init__(path.parents[1] / path.name, handler)


def main() -> int:
    return gpu.main(parts=plugin.Parts(service=Service))


if __name__ == "__main__":
    raise SystemExit(main())
