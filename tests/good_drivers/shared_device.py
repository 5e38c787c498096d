"""Publishes one device that claims share, with a capacity of which each takes a part."""

from collections.abc import Mapping

from reference_driver import gpu, plugin

CAPACITY = {"memory": {"value": "8Gi", "requestPolicy": {"default": "1Gi", "validRange": {"min": "1Gi"}}}}
EXTRA = {"container": {"env": {"GPU_DEVICE_\\d+": "{device}"}}}
NOT_APPLICABLE = ("allocation.selected_device", "preparation.allocated_anew", "preparation.device_in_use")


class Driver(gpu.GpuDriver):
    def pools(self) -> Mapping[str, plugin.Pool]:
        extra = {"allowMultipleAllocations": True, "capacity": CAPACITY}
        there = any(each.index == 0 for each in self.gpus)
        return {self.node: plugin.Pool([plugin.Device("gpu-0", {"index": 0}, extra=extra)] if there else [])}


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
