"""Returns devices without CDI ids and changes containers by NRI."""

from typing import Any

from reference_driver import gpu, plugin

EXTRA = {"driver": {"injection": "nri"}}
NOT_APPLICABLE = (
    "injection.config_applied",
    "injection.container_sees",
    "injection.own_names",
    "injection.whole_specs",
    "metadata.files",
    "preparation.failed_write",
    "restart.leftovers",
    "unpreparing.cleaning_fails",
)


class Driver(gpu.GpuDriver):
    def prepare(self, claim: plugin.Claim) -> plugin.Preparation:
        super().prepare(claim)
        return plugin.Preparation([plugin.ContainerEdits() for _ in claim.devices])


class Metadata(plugin.MetadataFolder):
    def try_to_write(self, claim: plugin.Claim, describe: Any) -> dict[str, str]:
        return {}


def main() -> int:
    return gpu.main(driver=Driver, parts=plugin.Parts(metadata=Metadata))


if __name__ == "__main__":
    raise SystemExit(main())
