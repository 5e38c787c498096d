"""One use of NVML, from nvmlInit to nvmlShutdown: the GPUs that it knows, and the events that they tell."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reference_driver.plugin import log

from . import places
from .gpus import Found, find
from .library import Library, NvmlFailure


@dataclass(frozen=True)
class Told:
    """What a GPU has told. `ids` are those of a MIG device's instances, where it is about that alone."""

    bus_id: str
    kind: int
    data: int
    ids: tuple[int, int] | None


class Session:
    """What was found, and what is heard."""

    def __init__(self, library: Library, found: Found, events: Any) -> None:
        self.library = library
        self.found = found
        self.listening = False
        self._events = events

    def listen(self) -> None:
        """Register for what concerns health and MIG; a GPU that tells nothing is still looked at."""
        nvml = self.library.nvml
        wanted = (
            nvml.nvmlEventTypeXidCriticalError
            | nvml.nvmlEventTypeDoubleBitEccError
            | nvml.nvmlEventMigConfigChange
            | nvml.nvmlEventTypeGpuUnavailableError
            | nvml.nvmlEventTypeGpuRecoveryAction
        )
        for address, handle in self.found.handles.items():
            try:
                types = wanted & self.library.ask("nvmlDeviceGetSupportedEventTypes", handle, default=0)
                if types:
                    self.library.call("nvmlDeviceRegisterEvents", handle, types, self._events)
                    self.listening = True
            except NvmlFailure as failure:
                log.warning("events of a GPU are not heard", gpu=address, error=str(failure))

    def wait(self, seconds: float) -> Told | None:
        """The next event, or None when there was none in this time. Raises NvmlFailure, as when a GPU is lost."""
        try:
            data = self.library.call("nvmlEventSetWait_v2", self._events, max(0, int(seconds * 1000)))
        except NvmlFailure as failure:
            if failure.number == self.library.nvml.NVML_ERROR_TIMEOUT:
                return None
            raise
        address = places.bus_id(self.library.call("nvmlDeviceGetPciInfo", data.device).busId)
        anyone = self.library.nvml.NVML_GPU_INSTANCE_ID_ANY
        ids = None if data.gpuInstanceId == anyone else (data.gpuInstanceId, data.computeInstanceId)
        return Told(address, data.eventType, data.eventData, ids)


@contextmanager
def session(library: Library, system: Path) -> Iterator[Session]:
    """NVML, asked anew for all GPUs. Raises NvmlFailure."""
    with library.lock:
        library.call("nvmlInit")
    try:
        with library.lock:
            found = find(library, system)
        events = library.call("nvmlEventSetCreate")
        try:
            made = Session(library, found, events)
            made.listen()
            yield made
        finally:
            with suppress(NvmlFailure):  # of a driver that is gone: there is nothing left to free
                library.call("nvmlEventSetFree", events)
    finally:
        with library.lock, suppress(NvmlFailure):
            library.call("nvmlShutdown")
