"""Ships a DeviceClass whose selector reads an attribute that one of its devices lacks."""

from fakegpu import Gpu
from reference_driver import gpu, plugin

FAULT = "M23"
CAUGHT_BY = ("allocation.class_selectors", "publishing.attributes")
BREAKS = ("RS-33",)
EXTRA = {
    "drivers": [
        {
            "name": "gpu.example.com",
            "features": ["rolling-update"],
            "deviceClasses": [
                {"name": "gpu.example.com"},
                {
                    "name": "cooled.gpu.example.com",
                    "selectors": ['device.attributes["gpu.example.com"].cooling == "liquid"'],
                },
            ],
        }
    ]
}


class Driver(gpu.GpuDriver):
    def device(self, gpu: Gpu) -> plugin.Device:
        device = super().device(gpu)
        cooling = {} if gpu.index == 7 else {"cooling": "liquid"}
        return plugin.Device(device.name, {**device.attributes, **cooling}, device.capacity)


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
