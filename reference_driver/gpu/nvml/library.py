"""libnvidia-ml: loaded once, initialised and shut down as often as needed, and its errors told apart."""

import ctypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from reference_driver.plugin import PluginError

from .installation import LIBRARY_FOLDERS

NAME = "libnvidia-ml.so.1"
_PATIENCE = 5.0  # seconds


class NvmlFailure(Exception):
    """A function of NVML failed, with an error of NVML's by this number. `lost`: the GPU is off the bus, or gone."""

    def __init__(self, error: Exception, function: str, number: int = 0, lost: bool = False) -> None:
        super().__init__(f"NVML: {error} ({function})")
        self.number = number
        self.lost = lost


class Library:
    """NVML through nvidia-ml-py. `lock`: hold it while NVML is shut down and initialised anew, and against that.

    A GPU that appears or vanishes is seen only by who initialises NVML when nobody else has it in use.
    """

    def __init__(self, nvml: ModuleType) -> None:
        self.nvml = nvml
        self.lock = threading.RLock()
        self._lost = (nvml.NVML_ERROR_GPU_IS_LOST, nvml.NVML_ERROR_GPU_NOT_FOUND)
        self._nothing = (nvml.NVML_ERROR_NOT_FOUND, nvml.NVML_ERROR_INVALID_ARGUMENT)
        self._none = (
            nvml.NVML_ERROR_NOT_SUPPORTED,
            nvml.NVML_ERROR_FUNCTION_NOT_FOUND,
            nvml.NVML_ERROR_NO_DATA,
            nvml.NVML_ERROR_INSUFFICIENT_SIZE,  # of a text that is longer than nvidia-ml-py has room for
        )

    def call(self, function: str, *arguments: Any, **named: Any) -> Any:
        """What a function of NVML answers. Raises NvmlFailure."""
        try:
            return getattr(self.nvml, function)(*arguments, **named)
        except self.nvml.NVMLError as error:
            raise self._failure(error, function) from error

    def ask(self, function: str, *arguments: Any, default: Any = None, **named: Any) -> Any:
        """The same, or the default where the GPU or the vendor's driver has no such thing. Raises NvmlFailure."""
        try:
            return getattr(self.nvml, function)(*arguments, **named)
        except self.nvml.NVMLError as error:
            if error.value in self._none:
                return default
            raise self._failure(error, function) from error

    def _failure(self, error: Any, function: str) -> NvmlFailure:
        return NvmlFailure(error, function, error.value, error.value in self._lost)

    def is_nothing(self, failure: NvmlFailure) -> bool:
        """Whether what was asked about is not there, as an instance that was ended meanwhile."""
        return failure.number in self._nothing

    def each(self, function: str, device: Any, count: int) -> Iterator[Any]:
        """What a device has by numbers, of which some may stand for nothing. Raises NvmlFailure."""
        for number in range(count):
            try:
                yield getattr(self.nvml, function)(device, number)
            except self.nvml.NVMLError as error:
                if error.value not in (*self._none, *self._nothing):
                    raise self._failure(error, function) from error

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """NVML is initialised inside the block, for as short as a claim may wait. Raises NvmlFailure."""
        if not self.lock.acquire(timeout=_PATIENCE):
            raise NvmlFailure(TimeoutError("it does not answer"), "nvmlInit")
        try:
            self.call("nvmlInit")
            try:
                yield
            finally:
                self.call("nvmlShutdown")
        finally:
            self.lock.release()


def load(path: Path | None, driver_root: Path) -> Library:
    """Load it: the file that was named, the one of the driver root, or the one that the loader finds.

    Raises PluginError, which names the setting.
    """
    try:
        import pynvml  # the only place: who has no GPUs does without it
    except ModuleNotFoundError as error:
        raise PluginError(
            "--gpus=nvml needs the package nvidia-ml-py, which is not installed: pip install 'dra-conformance[nvml]'"
        ) from error
    file = path or _of_root(driver_root)
    try:
        # nvidia-ml-py asks the loader for the name; a library of that name that is loaded already is what it gets.
        ctypes.CDLL(str(file or NAME), mode=ctypes.RTLD_GLOBAL)
    except OSError as error:
        setting = f"--nvml-library={path}" if path else f"--nvml-library (driver root {driver_root})"
        raise PluginError(
            f"{setting}: {NAME} cannot be loaded: {error}; name the library of the installed NVIDIA driver"
        ) from error
    try:
        ctypes.CDLL(NAME)
    except OSError as error:
        raise PluginError(f"--nvml-library={file} is a library of another name than {NAME}") from error
    return Library(pynvml)


def _of_root(root: Path) -> Path | None:
    if root == Path("/"):
        return None
    return next((file for folder in LIBRARY_FOLDERS if (file := root / folder / NAME).is_file()), None)
