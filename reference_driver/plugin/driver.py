"""What the author of a driver writes: which devices there are, and what a container gets for an allocated one."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .cdi import ContainerEdits
from .checkpoint import ClaimRecord
from .claims import AllocatedDevice, Claim
from .errors import ClaimError
from .pools import Device, Pool


@dataclass(frozen=True)
class DeviceHealth:
    """How a device is: well, not well, or None where that is not known. `message` is for people."""

    pool: str
    device: str
    healthy: bool | None = True
    message: str = ""


@dataclass(frozen=True)
class Preparation:
    """How a claim is to be prepared.

    `edits` has one entry per device of the claim, in the same order; a device with empty edits gets no CDI id.
    `common` are edits that a container gets once for the claim. `data` (JSON) is kept for `apply` and `undo`.
    """

    edits: Sequence[ContainerEdits]
    common: ContainerEdits = field(default_factory=ContainerEdits)
    data: dict[str, Any] = field(default_factory=dict)


class Driver(ABC):
    """A driver for the devices of one node.

    Only `pools` and `prepare` are needed. The framework calls `prepare`, `apply` and `undo` one at a time, in all
    instances on the node; raise ClaimError with a text that names the device and the reason.

    `look_every`: seconds after which `pools` and `health` are asked again, and published if they have changed; without
    it they are whenever `Plugin.publish` is called.
    """

    cdi_class = "device"
    sets_binding_conditions = False
    look_every: float | None = None

    def __init__(self, name: str, node: str) -> None:
        self.name = name
        self.node = node

    @abstractmethod
    def pools(self) -> Mapping[str, Pool]:
        """The pools as they are now, by name; the pool of a node's own devices is usually named like the node."""

    def check(self, claim: Claim) -> None:
        """Raise ClaimError unless every allocated device is there and usable; also called when Prepare is repeated."""
        for device in claim.devices:
            if self.published(device) is None:
                raise ClaimError(
                    f"device {device.device} of pool {device.pool}, allocated to claim {claim.ref},"
                    f" does not exist on node {self.node}"
                )

    def published(self, device: AllocatedDevice) -> Device | None:
        """The device as it would be published now, None if it is not there."""
        return self.pools().get(device.pool, Pool()).named.get(device.device)

    @abstractmethod
    def prepare(self, claim: Claim) -> Preparation:
        """Validate the configuration and say what containers get. Changes nothing: it may be called again."""

    def apply(self, record: ClaimRecord) -> None:  # noqa: B027 - most drivers have nothing to change
        """Change the hardware as the record says; must bear repetition, as it is called again after a reboot."""

    def undo(self, record: ClaimRecord) -> None:  # noqa: B027
        """Take back what `apply` did, wholly or in part; must succeed when there is nothing to take back."""

    def make_ready(self, claim: Claim, device: AllocatedDevice) -> None:  # noqa: B027
        """Make an allocated device with binding conditions ready for its pod to be bound; must bear repetition.

        Called only where `sets_binding_conditions` is true, which takes the right to watch claims. ClaimError sets the
        conditions of its failure.
        """

    def health(self) -> Sequence[DeviceHealth] | None:
        """The health of the devices that were really looked at; None for a driver that knows nothing of it.

        A sick device gets a taint, so it must stay in its pool for as long as it is there.
        """
        return None

    def ailment(self, device: AllocatedDevice) -> str | None:
        """What ails a device that is sick; None for one that is not, or of which it is not known."""
        rows = (row for row in self.health() or () if (row.pool, row.device) == (device.pool, device.device))
        return next((row.message for row in rows if row.healthy is False), None)

    def overlapping(self, device: AllocatedDevice) -> Sequence[str]:  # noqa: ARG002
        """Other devices of its pool that are the same hardware, wholly or in part, so that who has one excludes it."""
        return ()

    def facts(self, device: AllocatedDevice) -> Mapping[str, Any]:  # noqa: ARG002
        """What is to be said of a prepared device in its claim's status, as JSON of at most 10 KiB."""
        return {}

    def network(self, device: AllocatedDevice) -> Mapping[str, Any]:  # noqa: ARG002
        """NetworkDeviceData of a prepared device: interfaceName, hardwareAddress, ips in CIDR notation."""
        return {}

    def attributes(self, device: AllocatedDevice) -> Mapping[str, Any]:
        """What programs in containers are to be told of an allocated device: the same as is published."""
        row = self.published(device)
        return row.attributes if row else {}

    @property
    def changes_hardware(self) -> bool:
        """Whether there is anything to undo of a Prepare that is cut short, beside files."""
        return type(self).apply is not Driver.apply or type(self).undo is not Driver.undo

    @property
    def cdi_kind(self) -> str:
        """Vendor and class of the CDI devices. The vendor must begin with a letter, which driver names need not."""
        return f"k8s.{self.name}/{self.cdi_class}"
