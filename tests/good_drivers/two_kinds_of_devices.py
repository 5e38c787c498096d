"""Publishes two kinds of devices with attributes of their own, and ships a class for each and one for a third kind."""

from fakegpu import Gpu
from reference_driver import gpu, plugin

TYPE = 'device.attributes["gpu.example.com"].type'
CLASSES = [
    {"name": "full.gpu.example.com", "selectors": [f'{TYPE} == "full"']},
    {
        "name": "part.gpu.example.com",
        "selectors": [f'{TYPE} == "part"', 'device.attributes["gpu.example.com"].part >= 0'],
    },
    {"name": "none.gpu.example.com", "selectors": [f'{TYPE} == "none"']},
]
EXTRA = {"driver": {"deviceClasses": CLASSES}, "claim": {"perNode": 4}}
NOT_APPLICABLE = (
    "allocation.selected_capacity",
    "extended.resource",
    "injection.config_applied",
    "preparation.bad_beside_good",
    "preparation.invalid_config",
)


class Driver(gpu.GpuDriver):
    def device(self, gpu: Gpu) -> plugin.Device:
        if gpu.index < 4:
            return plugin.Device(gpu.name, {"type": "full", "uuid": gpu.uuid})
        return plugin.Device(gpu.name, {"type": "part", "part": gpu.index})


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
