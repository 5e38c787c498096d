"""The companion: another driver, which the suite brings, for claims with devices of two drivers."""

from pathlib import Path

from conformance.target import Target
from conformance.target.model import DriverSection

NAME = "companion.example.com"
SILENT = "--no-device-status"
"""It writes nothing into claims: what stands there under its name is from somebody else."""


def companion() -> Target:
    """The reference driver under another name, with a device class of that name. Raises TargetError."""
    reference = Target.load("reference")
    command = [*reference.process.command, "--driver-name={driver_name}", SILENT]
    process = reference.process.model_copy(update={"command": command})
    file = reference.file.model_copy(update={"drivers": [DriverSection(name=NAME)], "process": process})
    return Target(file, reference.path)


def remove_specs(cdi_dir: Path) -> None:
    """Remove CDI specs that it has left because it was not asked to unprepare a claim."""
    for path in cdi_dir.glob(f"{NAME}-*"):
        path.unlink(missing_ok=True)
