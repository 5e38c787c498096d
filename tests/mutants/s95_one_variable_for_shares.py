"""Names the variables of a share after the device alone."""

from dataclasses import replace

from reference_driver import gpu, plugin

FAULT = "S95"
CAUGHT_BY = ("shares.one_container",)
BREAKS = ("CDI-10",)
BASE = "reference-extras"


class Driver(gpu.ExtrasDriver):
    def edits(self, claim: plugin.Claim, device: plugin.AllocatedDevice) -> plugin.ContainerEdits:
        return super().edits(claim, replace(device, share_id=None))


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
