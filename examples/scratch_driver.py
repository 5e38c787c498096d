"""A DRA driver for scratch disks, each for one claim at a time and then emptied; told in docs/tutorial-driver.md."""

import argparse
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from reference_driver import plugin

DRIVER_NAME = "scratch.example.com"


class ScratchDriver(plugin.Driver):
    """Whatever is mounted in one folder of the node is a disk, and a folder in it will do for one."""

    cdi_class = "disk"
    look_every = 1.0

    def __init__(self, name: str, node: str, folder: Path) -> None:
        super().__init__(name, node)
        self.folder = folder

    def pools(self) -> Mapping[str, plugin.Pool]:
        """The disks that are there now."""
        if not self.folder.is_dir():
            raise plugin.PluginError(f"--disks: {self.folder} is no folder; mount disks in it, or name another one")
        disks = sorted(path for path in self.folder.iterdir() if path.is_dir())
        return {self.node: plugin.Pool([self.device(disk) for disk in disks])}

    def device(self, disk: Path) -> plugin.Device:
        """A disk as it is published."""
        volume = os.statvfs(disk)
        return plugin.Device(disk.name, {"mounted": disk.is_mount()}, {"size": str(volume.f_blocks * volume.f_frsize)})

    def prepare(self, claim: plugin.Claim) -> plugin.Preparation:
        """Every disk is mounted below /scratch."""
        if claim.configs:
            raise plugin.ClaimError(f"driver {self.name} takes no parameters, and claim {claim.ref} has some")
        return plugin.Preparation([self.edits(device) for device in claim.devices])

    def edits(self, device: plugin.AllocatedDevice) -> plugin.ContainerEdits:
        """What a container gets for one disk; an administrator who looks at one in use changes nothing on it."""
        disk, inside = self.folder / device.device, f"/scratch/{device.device}"
        options = ["bind", "nodev", "nosuid", "ro" if device.admin_access else "rw"]
        mount = {"hostPath": str(disk), "containerPath": inside, "options": options}
        variable = "SCRATCH_" + device.device.upper().replace("-", "_")
        return plugin.ContainerEdits([f"{variable}={inside}"], mounts=[mount])

    def apply(self, record: plugin.ClaimRecord) -> None:
        """Whoever the containers run as can write on their disks."""
        for disk in self.own(record):
            disk.chmod(0o1777)

    def undo(self, record: plugin.ClaimRecord) -> None:
        """Whoever gets a disk next finds nothing on it."""
        for disk in self.own(record):
            for path in disk.iterdir():
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()

    def own(self, record: plugin.ClaimRecord) -> Iterator[Path]:
        """The disks that a claim has for itself, without those that have been taken out."""
        for device in record.devices:
            disk = self.folder / device.device
            if disk.is_dir() and not device.admin_access:
                yield disk


def main() -> int:
    """Run the driver until it is told to end; the exit status."""
    parser = argparse.ArgumentParser(description="A DRA driver for scratch disks.")
    plugin.add_arguments(parser, DRIVER_NAME)
    parser.add_argument("--disks", type=Path, default=Path("/mnt/disks"), help="where they are mounted (%(default)s)")
    arguments = parser.parse_args()
    options = plugin.from_arguments(arguments)
    driver = ScratchDriver(options.driver_name, options.node_name, arguments.disks.absolute())
    return plugin.main(driver, options)


if __name__ == "__main__":
    raise SystemExit(main())
