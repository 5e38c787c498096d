"""What nodes that are no machines of their own share, and what a driver cannot share."""

from conformance.target import Target
from conformance.verdict import NotRun


def need_no_device(target: Target) -> None:
    """Go on only where instances on several nodes need no hardware of their own. Raises NotRun."""
    if "device" in target.file.requires:
        raise NotRun("the driver requires a device, and the nodes of this cluster share the hardware of one machine")
