"""Returns devices without CDI ids and changes containers by NRI."""

from reference_driver import gpu, plugin

EXTRA = {"driver": {"injection": "nri"}}
NOT_APPLICABLE = ("injection.config_applied", "injection.container_sees", "injection.whole_specs")


class Driver(gpu.GpuDriver):
    def prepare(self, claim: plugin.Claim) -> plugin.Preparation:
        super().prepare(claim)
        return plugin.Preparation([plugin.ContainerEdits() for _ in claim.devices])


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
