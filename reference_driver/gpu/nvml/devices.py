"""GPUs and MIG devices as they are published. All have the same attributes, so that a selector fails on none."""

import re
from collections.abc import Iterator, Mapping, Sequence

from reference_driver.gpu import metadata
from reference_driver.plugin import Device, Pool, Version

from .facts import GpuFacts, MigFacts

STANDARD = "resource.kubernetes.io"
Value = int | bool | str | Version


def pool(gpus: Sequence[GpuFacts]) -> Pool:
    """The pool of a node. A GPU whose MIG mode is on is not offered whole: no program could use it so."""
    made = [device for gpu in gpus for device in _devices(gpu)]
    return Pool(made, [counter_set(gpu) for gpu in gpus if gpu.mig_mode and gpu.migs])


def parts(gpus: Sequence[GpuFacts]) -> Iterator[tuple[str, GpuFacts, MigFacts | None]]:
    """Each device by its name, with the GPU that it is, or is a part of."""
    for gpu in gpus:
        if gpu.mig_mode:
            yield from ((mig_name(gpu, mig), gpu, mig) for mig in gpu.migs)
        else:
            yield gpu.device, gpu, None


def mig_name(gpu: GpuFacts, mig: MigFacts) -> str:
    """A name that follows from where a MIG device is, and so is the same when it was made anew."""
    profile = re.sub(r"[^a-z0-9]+", "-", mig.profile.lower().replace(".", "")).strip("-")
    compute = "" if mig.compute_start is None else f"-{mig.compute_start}"
    return f"{gpu.device}-mig-{profile}-{mig.start}{compute}"


def _devices(gpu: GpuFacts) -> Iterator[Device]:
    if not gpu.mig_mode:
        yield Device(gpu.device, attributes(gpu), {} if gpu.memory is None else {"memory": quantity(gpu.memory)})
    for mig in gpu.migs if gpu.mig_mode else ():
        yield Device(mig_name(gpu, mig), attributes(gpu, mig), _capacity(mig), _consumes(gpu, mig))


def attributes(gpu: GpuFacts, mig: MigFacts | None = None) -> Mapping[str, Value]:
    """What is said of a GPU, or of a MIG device of it. NVLink does not reach MIG devices: each is by itself."""
    uuid = metadata.text(mig.uuid if mig else gpu.uuid)
    return {
        "type": "mig" if mig else "gpu",
        "index": gpu.minor,
        "uuid": uuid,
        "parentUUID": metadata.text(gpu.uuid),
        "profile": metadata.text(mig.profile) if mig else "",
        "model": metadata.text(gpu.name),
        "productName": metadata.text(gpu.name),
        "brand": gpu.brand,
        "architecture": gpu.architecture,
        "cudaComputeCapability": metadata.version(gpu.compute_capability),
        "driverVersion": metadata.version(gpu.driver_version),
        "cudaDriverVersion": metadata.version(gpu.cuda_version),
        "addressingMode": gpu.addressing_mode,
        "nvlinkDomain": uuid if mig else metadata.text(gpu.nvlink_domain),
        f"{STANDARD}/pciBusID": gpu.bus_id,
        **_standard(gpu),
    }


def _standard(gpu: GpuFacts) -> Mapping[str, Value]:
    """Those that not every GPU has."""
    root: dict[str, Value] = {f"{STANDARD}/pcieRoot": gpu.pcie_root} if gpu.pcie_root else {}
    return root if gpu.numa_node is None else {**root, f"{STANDARD}/numaNode": gpu.numa_node}


def counter_set(gpu: GpuFacts) -> Mapping[str, object]:
    """What the MIG devices of a GPU share: its memory, and for each memory slice how many have it."""
    counters = {"memory": {"value": quantity(max(gpu.memory or 0, sum(map(_memory, gpu.migs))))}}
    for mig in gpu.migs:
        counters |= {name: {"value": str(mig.shared_by)} for name in _slices(mig)}
    return {"name": f"{gpu.device}-counters", "counters": counters}


def _consumes(gpu: GpuFacts, mig: MigFacts) -> Mapping[str, object]:
    counters = {"memory": {"value": quantity(_memory(mig))}, **{name: {"value": "1"} for name in _slices(mig)}}
    return {"consumesCounters": [{"counterSet": f"{gpu.device}-counters", "counters": counters}]}


def _memory(mig: MigFacts) -> int:
    """Its part of the GPU's memory, which the MIG devices of one GPU instance have together."""
    return mig.memory // mig.shared_by


def _slices(mig: MigFacts) -> list[str]:
    return [f"memory-slice-{number}" for number in range(mig.start, mig.start + mig.size)]


def _capacity(mig: MigFacts) -> Mapping[str, str]:
    return {
        "memory": quantity(mig.memory),
        "multiprocessors": str(mig.multiprocessors),
        "copyEngines": str(mig.copy_engines),
        "decoders": str(mig.decoders),
        "encoders": str(mig.encoders),
        "jpegEngines": str(mig.jpeg_engines),
        "ofaEngines": str(mig.ofa_engines),
    }


def quantity(amount: int) -> str:
    """Bytes as a Kubernetes quantity, in the form that the API server would give it."""
    for unit, size in (("Gi", 2**30), ("Mi", 2**20), ("Ki", 2**10)):
        if amount and amount % size == 0:
            return f"{amount // size}{unit}"
    return str(amount)
