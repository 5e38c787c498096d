"""The driver file: what an author writes down about a driver. Strict: a key that is not listed here is an error."""

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from pydantic.alias_generators import to_camel

Object = dict[str, Any]
"""A Kubernetes object, or a part of one, as JSON."""

Seconds = Annotated[float, Field(gt=0, le=86_400)]
Command = Annotated[list[str], Field(min_length=1)]
_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
DnsName = Annotated[str, StringConstraints(pattern=rf"^{_LABEL}(\.{_LABEL})*$", max_length=253)]
_ANY_LABEL = "[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?"
DriverName = Annotated[str, StringConstraints(pattern=rf"^{_ANY_LABEL}(\.{_ANY_LABEL})*$", max_length=63)]


PackageName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$", max_length=100)]
Pin = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*==[A-Za-z0-9.!+_-]+$", max_length=200)]


class Feature(StrEnum):
    """Optional features of DRA that a driver may offer; each is a profile of checks."""

    ROLLING_UPDATE = "rolling-update"
    HEALTH = "health"
    PARTITIONABLE = "partitionable"
    CONSUMABLE_CAPACITY = "consumable-capacity"
    TAINTS = "taints"
    ADMIN_ACCESS = "admin-access"
    DEVICE_STATUS = "device-status"
    PRIORITIZED_LIST = "prioritized-list"
    EXTENDED_RESOURCE = "extended-resource"
    BINDING_CONDITIONS = "binding-conditions"
    METADATA = "metadata"
    NETWORK = "network"


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, alias_generator=to_camel, populate_by_name=True)


class ClassSection(_Model):
    """A DeviceClass of the driver. The suite creates it when the installation did not."""

    name: DnsName = Field(description="Name of the DeviceClass.")
    selectors: list[str] = Field(
        default_factory=list, description="CEL expressions; without any, the class takes all devices of the driver."
    )
    config: list[Object] = Field(default_factory=list, description="Entries of DeviceClass spec.config.")
    extended_resource_name: str | None = Field(default=None, description="DeviceClass spec.extendedResourceName.")


class DriverSection(_Model):
    """One DRA driver that the installation brings."""

    name: DriverName = Field(description="The driver's name, as in its ResourceSlices.")
    device_classes: list[ClassSection] = Field(
        default_factory=list, description="Its device classes; without any, one that is named like the driver."
    )
    features: list[Feature] = Field(default_factory=list, description="Optional features that the driver claims.")
    scope: Literal["node-local", "network-attached", "mixed"] = Field(
        default="node-local", description="Whether its pools belong to one node."
    )
    node_plugin: bool = Field(default=True, description="Whether it has a plugin on the node that kubelet calls.")
    injection: Literal["cdi", "nri", "none"] = Field(default="cdi", description="How devices get into containers.")


class NextVersionSection(_Model):
    """The version after this one, for checks of upgrades. What is left out stays as it is."""

    command: Command | None = Field(default=None, description="Argument list that starts the next version.")
    env: dict[str, str] = Field(default_factory=dict, description="Environment on top of that of this version.")


class ProcessSection(_Model):
    """How the driver starts as a process; there is no shell. Placeholders such as {kubeconfig} may stand anywhere."""

    command: Command = Field(description="Argument list that starts the driver.")
    env: dict[str, str] = Field(default_factory=dict, description="Environment variables of the driver.")
    folders: list[str] = Field(
        default_factory=list, description="Folders made before each start, like a hostPath of type DirectoryOrCreate."
    )
    files: dict[str, str] = Field(
        default_factory=dict, description="Files made before the first start, such as made-up hardware: path to text."
    )
    device_nodes: list[str] = Field(
        default_factory=list, description="Character devices that the node is taken to have, for made-up hardware."
    )
    state_dir: str | None = Field(
        default=None, description="Where the driver keeps state over restarts; by default {plugins_dir}/<driver name>."
    )
    next_version: NextVersionSection | None = Field(default=None, description="The version after this one.")


class NextImageSection(_Model):
    """The version after this one, for checks of upgrades. What is left out stays as it is."""

    reference: str | None = Field(default=None, description="Image of the next version.")
    command: list[str] | None = Field(default=None, description="What takes the place of its arguments.")
    env: dict[str, str] = Field(default_factory=dict, description="Environment on top of that of this version.")


class ImageSection(_Model):
    """A container image that the driver is run from, instead of `process`. Paths of the node are the same inside.

    The kubelet's folders and the CDI folder are at /var/lib/kubelet and /var/run/cdi, too, as on a node.
    """

    reference: str = Field(min_length=1, description="The image; it is pulled where the engine has not got it.")
    build: list[Command] = Field(
        default_factory=list, description="Argument lists that make the image, run one after the other."
    )
    command: list[str] = Field(default_factory=list, description="What takes the place of the image's arguments.")
    env: dict[str, str] = Field(default_factory=dict, description="Environment variables of the driver.")
    mounts: dict[str, str] = Field(
        default_factory=dict, description="Folders and files of this machine to paths inside; missing folders are made."
    )
    privileged: bool = Field(default=False, description="Whether the container may do everything.")
    next_version: NextImageSection | None = Field(default=None, description="The version after this one.")


class BuildSection(_Model):
    """A Go program to build and keep, for {binary}; needs Go on PATH once."""

    go_module: str = Field(description="Path of the Go module.")
    version: str = Field(description="Version of the module, such as v1.37.2.")
    package: str = Field(description="Import path of the main package.")


class PythonSection(_Model):
    """A Python package to install and keep in a virtual environment, whose Python is {binary}; needs its index once."""

    package: PackageName = Field(description="Name of the package, as on PyPI.")
    version: str = Field(min_length=1, description="Version of the package, such as 0.1.0.")
    pins: list[Pin] = Field(
        default_factory=list, description="Versions of what it needs, such as grpcio==1.85.3; without any, the newest."
    )


class ChartSection(_Model):
    """A Helm chart, rendered by `helm template` and applied."""

    chart: str = Field(
        description="Folder or archive of the chart, relative to this file, or what helm calls it: a URL, an OCI "
        "reference, or a name in `repository`."
    )
    repository: str | None = Field(default=None, description="URL of the repository that the chart is in.")
    version: str | None = Field(default=None, description="Version of the chart.")
    release: DnsName = Field(default="driver", description="Name of the release.")
    namespace: DnsName = Field(default="default", description="Namespace to install into; it is made.")
    values: Object = Field(default_factory=dict, description="Values of the chart.")


class ConditionSection(_Model):
    """A condition that an object must have in its status."""

    api_version: str = Field(description="API version of the object, such as apps/v1.")
    kind: str = Field(description="Kind of the object, such as Deployment.")
    name: str = Field(description="Name of the object.")
    namespace: str = Field(default="default", description="Its namespace, where its kind has any.")
    condition: str = Field(default="Available", description="Type of the condition that must be true.")


class NextDeploymentSection(_Model):
    """The version after this one, for rolling updates of the driver's pods. What is left out stays as it is."""

    image: str | None = Field(default=None, description="Image of the driver's container; it is loaded, too.")
    args: list[str] | None = Field(default=None, description="What takes the place of its arguments.")
    env: dict[str, str] = Field(default_factory=dict, description="Environment on top of that of this version.")


class InstallSection(_Model):
    """How the driver is installed on a cluster with real nodes."""

    build: list[Command] = Field(
        default_factory=list, description="Argument lists that make images, run before these are loaded."
    )
    images: list[str] = Field(default_factory=list, description="Images to load onto the nodes first.")
    prerequisites: list[str] = Field(
        default_factory=list, description="Manifests of what must be there and ready before the driver is installed."
    )
    charts: list[ChartSection] = Field(default_factory=list, description="Helm charts, in order.")
    manifests: list[str] = Field(
        default_factory=list,
        description="Files with manifests, or folders of them, relative to this file, or URLs; in order, after charts.",
    )
    namespace_labels: dict[str, str] = Field(
        default_factory=dict, description="Labels that the driver's namespaces get."
    )
    readiness: list[ConditionSection] = Field(
        default_factory=list, description="What must be true, beside its pods and slices, for the driver to be ready."
    )
    next_version: NextDeploymentSection | None = Field(default=None, description="The version after this one.")


class ValidConfig(_Model):
    """Opaque parameters that the driver accepts."""

    parameters: Object = Field(description="The parameters, as in a claim's config.")
    env: dict[str, str] = Field(
        default_factory=dict, description="What a container then sees: pattern of the name to pattern of the value."
    )


class InvalidConfig(_Model):
    """Opaque parameters that the driver must refuse."""

    parameters: Object = Field(description="The parameters, as in a claim's config.")
    why: str = Field(default="", description="What is wrong with them, for the report.")


class ConfigsSection(_Model):
    """Opaque configs of claims."""

    valid: list[ValidConfig] = Field(default_factory=list, description="Parameters that work.")
    invalid: list[InvalidConfig] = Field(default_factory=list, description="Parameters that must be refused.")


class ClaimSection(_Model):
    """What a valid claim looks like."""

    spec: Object | None = Field(
        default=None,
        description="ResourceClaim spec; by default one request `device` for one device of the first class.",
    )
    per_node: int = Field(default=1, ge=1, description="How many such claims a node holds at once.")
    shareable: bool = Field(default=True, description="Whether several pods may use one claim.")
    configs: ConfigsSection = Field(default_factory=ConfigsSection, description="Opaque configs to try.")


class ContainerSection(_Model):
    """What a container must see. Patterns are regular expressions for the whole text.

    {driver}, {pool}, {device}, {request} and {claim_uid} stand for those of the allocated device.
    """

    env: dict[str, str] = Field(default_factory=dict, description="Pattern of the name to pattern of the value.")
    devices: list[str] = Field(default_factory=list, description="Patterns of paths of device nodes.")
    mounts: list[str] = Field(default_factory=list, description="Patterns of paths that something is mounted at.")
    net_devices: list[str] = Field(
        default_factory=list, description="Patterns of network interfaces of the node that it gets."
    )
    capacity: dict[str, dict[str, str]] = Field(
        default_factory=dict,
        description="What it sees of a share, by name of the capacity: pattern of a variable's name to pattern of its "
        "value, in which {amount} stands for how much the share has of it, as the claim's status says it.",
    )


class HooksSection(_Model):
    """Commands that do to the driver or its hardware what only its author knows; placeholders as in process.command.

    In those for devices {device} and {pool} stand for the device that is meant; one that does not say {device} may take
    any.
    """

    restart: Command | None = Field(default=None, description="Restart the driver.")
    upgrade: Command | None = Field(default=None, description="Upgrade the driver to its next version.")
    add_device: Command | None = Field(default=None, description="Make a device appear that was removed.")
    remove_device: Command | None = Field(default=None, description="Make a device disappear.")
    sicken_device: Command | None = Field(default=None, description="Make a device unhealthy.")
    recover_device: Command | None = Field(default=None, description="Make it healthy again.")


class LimitsSection(_Model):
    """How long things may take with this driver, in seconds."""

    ready: Seconds = Field(default=30.0, description="From the driver's start until registered and published.")
    pod_running: Seconds = Field(default=60.0, description="From a pod's creation until its containers run.")
    binding: Seconds = Field(
        default=600.0, description="From a claim's allocation until the binding conditions of its devices are set."
    )
    stop: Seconds = Field(default=30.0, description="From SIGTERM until the driver has ended.")
    hook: Seconds = Field(default=60.0, description="For a hook's command.")
    notice: Seconds = Field(
        default=60.0, description="From a change of the hardware until the driver has published what it means."
    )


class DriverFile(_Model):
    """Everything that the suite needs to know about a driver."""

    drivers: list[DriverSection] = Field(min_length=1, description="The drivers that the installation brings.")
    process: ProcessSection | None = Field(default=None, description="How the driver starts as a process.")
    image: ImageSection | None = Field(default=None, description="How the driver starts as a container.")
    build: BuildSection | None = Field(default=None, description="A Go program to build for {binary}.")
    python: PythonSection | None = Field(default=None, description="A Python package to install for {binary}.")
    install: InstallSection | None = Field(default=None, description="How the driver is installed on real nodes.")
    manifests: list[str | Object] = Field(
        default_factory=list, description="Files next to this one, or objects, to create before the driver starts."
    )
    claim: ClaimSection = Field(default_factory=ClaimSection, description="What a valid claim looks like.")
    container: ContainerSection = Field(default_factory=ContainerSection, description="What a container must see.")
    hooks: HooksSection = Field(default_factory=HooksSection, description="Commands that only the author knows.")
    limits: LimitsSection = Field(default_factory=LimitsSection, description="How long things may take.")
    pod_overlay: Object = Field(
        default_factory=dict, description="Part of a pod's spec that is merged into the pods of checks."
    )
    requires: list[Literal["device", "nri", "crd", "webhook", "kernel-module"]] = Field(
        default_factory=list, description="What a cluster must have; what it cannot give is NOT_RUN."
    )
    mocks: str = Field(default="", description="The vendor's mock of its hardware, in words, when one is used.")
