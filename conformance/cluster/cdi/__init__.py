"""Container Device Interface, as containerd resolves it: specs of a node, and what they change in a container."""

from conformance.cluster.cdi.edits import ContainerEdits
from conformance.cluster.cdi.errors import CdiError
from conformance.cluster.cdi.inject import Injected, inject
from conformance.cluster.cdi.names import split_device, split_kind
from conformance.cluster.cdi.registry import CdiRegistry
from conformance.cluster.cdi.spec import Device, Spec, read_spec
from conformance.cluster.cdi.version import VERSIONS, minimum_version

__all__ = [
    "VERSIONS",
    "CdiError",
    "CdiRegistry",
    "ContainerEdits",
    "Device",
    "Injected",
    "Spec",
    "inject",
    "minimum_version",
    "read_spec",
    "split_device",
    "split_kind",
]
