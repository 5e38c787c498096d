"""Tells the container of another device than the one that its claim was given."""

from reference_driver import gpu, plugin

FAULT = "S11"
CAUGHT_BY = (
    "injection.container_sees",
    "preparation.allocated_anew",
    "preparation.several_devices",
    "preparation.shared_claim",
)
ALSO = {
    "alternatives.chosen": "the container is told of another device there, too",
}
BREAKS = ("PREP-21", "PREP-12", "PREP-29")


class Driver(gpu.GpuDriver):
    def edits(self, claim: plugin.Claim, device: plugin.AllocatedDevice) -> plugin.ContainerEdits:
        given = super().edits(claim, device)
        return plugin.ContainerEdits([entry.replace("=gpu-", "=gpu-1") for entry in given.env])


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
