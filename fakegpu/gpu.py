"""What there is to know about a made-up GPU: of its model, of its place in the node, and how it is."""

from dataclasses import dataclass, field

MODEL, MEMORY, DRIVER_VERSION = "LATEST-GPU-MODEL", "80Gi", "1.0.0"


@dataclass(frozen=True)
class MigProfile:
    """One size of GPU instances. `id` is the profile's id, `number` NVML's own number for the kind of profile.

    `starts` are the memory slices that one can begin at, `size` is how many it takes, `memory` is in MiB.
    """

    name: str
    id: int
    number: int
    slices: int
    instances: int
    starts: tuple[int, ...]
    size: int
    memory: int
    multiprocessors: int
    copy_engines: int = 0
    decoders: int = 0
    encoders: int = 0
    jpegs: int = 0
    ofas: int = 0


@dataclass(frozen=True)
class Product:
    """A model of GPU. Clocks are in MHz, `power` in W, `nvlink_speed` is that of one link one way in MB/s.

    `coherent`: its memory is a NUMA node of the machine, which CPU and GPU share.
    """

    architecture: str = "Hopper"
    compute_capability: str = "9.0"
    memory: str = MEMORY
    reserved: str = "512Mi"
    brand: str = "NVIDIA"
    pci_device: int = 0x000010DE
    pci_subsystem: int = 0x000010DE
    multiprocessors: int = 132
    cores: int = 16896
    memory_bus: int = 5120
    pcie_generation: int = 5
    pcie_width: int = 16
    power: int = 700
    sm_clock: int = 1980
    memory_clock: int = 2619
    nvlink_version: int = 0
    nvlinks: int = 0
    nvlink_speed: int = 0
    coherent: bool = False
    mig: tuple[MigProfile, ...] = ()

    def profile(self, name: str) -> MigProfile | None:
        """The MIG profile of a name such as 3g.40gb."""
        return next((each for each in self.mig if each.name == name), None)


@dataclass(frozen=True)
class Links:
    """NVLinks to one other end: a GPU of this node, such as gpu-1, or a switch, by its PCI address."""

    to: str
    count: int


@dataclass(frozen=True)
class Fabric:
    """The NVLink domain that reaches beyond the node: `cluster` is its UUID, `clique` the part of it."""

    cluster: str
    clique: int


@dataclass(frozen=True)
class MigInstance:
    """A GPU instance that is there from the start, with one compute instance that fills it."""

    profile: str
    start: int


@dataclass(frozen=True)
class Health:
    """How a GPU is. ECC errors since the driver was loaded, and in its life; °C; what slows its clocks."""

    lost: bool = False
    corrected: int = 0
    uncorrected: int = 0
    corrected_ever: int = 0
    uncorrected_ever: int = 0
    temperature: int = 30
    throttle: tuple[str, ...] = ()


@dataclass(frozen=True)
class Gpu:
    """One GPU. `memory` is a Kubernetes quantity, `driver_version` a semantic version; `fault`: what ails it, or "".

    Beyond these, which every GPU has: `pci_bus_id` as Linux writes it, `pcie_root` such as pci0000:44, `pcie_switch`,
    any text that GPUs below one switch share; all three may be "". `numa_node`, and that of its own memory where the
    machine sees it. `mig` is None where MIG mode is off. `errors`: NVML's functions that fail, or "*", each with how.
    """

    index: int
    uuid: str
    model: str = MODEL
    memory: str = MEMORY
    driver_version: str = DRIVER_VERSION
    fault: str = ""
    serial: str = ""
    pci_bus_id: str = ""
    pcie_root: str = ""
    pcie_switch: str = ""
    numa_node: int | None = None
    memory_numa_node: int | None = None
    nvlinks: tuple[Links, ...] = ()
    fabric: Fabric | None = None
    mig: tuple[MigInstance, ...] | None = None
    health: Health = Health()
    errors: tuple[tuple[str, str], ...] = ()
    product: Product = field(default=Product(), repr=False)

    @property
    def name(self) -> str:
        """The name of the device, the same after every restart."""
        return f"gpu-{self.index}"
