"""The MIG devices of a GPU, as they are: whoever made them, this driver makes and ends none."""

from collections import Counter
from dataclasses import replace
from typing import Any

from .facts import MigFacts
from .library import Library, NvmlFailure


def mig_devices(library: Library, gpu: Any) -> tuple[MigFacts, ...]:
    """Those of a GPU whose MIG mode is on. Raises NvmlFailure."""
    count = library.ask("nvmlDeviceGetMaxMigDeviceCount", gpu, default=0)
    found = []
    for device in library.each("nvmlDeviceGetMigDeviceHandleByIndex", gpu, count):
        try:
            found.append(_facts(library, gpu, device))
        except NvmlFailure as failure:
            if not library.is_nothing(failure):  # else it was ended in this moment
                raise
    users = Counter(mig.instance for mig in found)
    return tuple(replace(mig, shared_by=users[mig.instance]) for mig in sorted(found, key=lambda mig: mig.ids))


def _facts(library: Library, gpu: Any, device: Any) -> MigFacts:
    instance = library.call("nvmlDeviceGetGpuInstanceId", device)
    compute = library.call("nvmlDeviceGetComputeInstanceId", device)
    handle = library.call("nvmlDeviceGetGpuInstanceById", gpu, instance)
    placed = library.call("nvmlGpuInstanceGetInfo", handle)
    has = library.call("nvmlDeviceGetAttributes", device)
    part = has.computeInstanceSliceCount < has.gpuInstanceSliceCount
    return MigFacts(
        uuid=library.call("nvmlDeviceGetUUID", device),
        profile=(f"{has.computeInstanceSliceCount}c." if part else "") + _profile(library, gpu, placed.profileId, has),
        instance=instance,
        compute=compute,
        start=placed.placement.start,
        size=placed.placement.size,
        memory=has.memorySizeMB << 20,
        compute_start=_compute_start(library, handle, compute) if part else None,
        multiprocessors=has.multiprocessorCount,
        copy_engines=has.sharedCopyEngineCount,
        decoders=has.sharedDecoderCount,
        encoders=has.sharedEncoderCount,
        jpeg_engines=has.sharedJpegCount,
        ofa_engines=has.sharedOfaCount,
    )


def _compute_start(library: Library, instance: Any, compute: int) -> int:
    handle = library.call("nvmlGpuInstanceGetComputeInstanceById", instance, compute)
    return int(library.call("nvmlComputeInstanceGetInfo", handle).placement.start)


def _profile(library: Library, gpu: Any, wanted: int, has: Any) -> str:
    """What NVML calls the profile of this id, such as 3g.40gb; where it does not, a name that follows from sizes."""
    kinds = library.nvml.NVML_GPU_INSTANCE_PROFILE_COUNT
    for info in library.each("nvmlDeviceGetGpuInstanceProfileInfo", gpu, kinds):
        if info.id == wanted:
            return str(info.name).removeprefix("MIG ")
    return f"{has.gpuInstanceSliceCount}g.{-(-has.memorySizeMB // 1024)}gb"


def layout(library: Library, gpu: Any) -> tuple[bool, set[str]]:
    """Whether MIG mode is on, and the UUIDs of the MIG devices: it changes when any of them do. Raises NvmlFailure."""
    mode = library.ask("nvmlDeviceGetMigMode", gpu)
    on = bool(mode) and mode[0] == library.nvml.NVML_DEVICE_MIG_ENABLE
    count = library.ask("nvmlDeviceGetMaxMigDeviceCount", gpu, default=0) if on else 0
    found = library.each("nvmlDeviceGetMigDeviceHandleByIndex", gpu, count)
    return on, {library.call("nvmlDeviceGetUUID", device) for device in found}
