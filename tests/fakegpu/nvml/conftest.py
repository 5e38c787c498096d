"""The fake libnvidia-ml, and the real nvidia-ml-py on top of it."""

import ctypes
import importlib
import os
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from fakegpu.__main__ import main
from fakegpu.nvml.build import BuildError, library


@pytest.fixture(scope="session")
def libnvml() -> Path:
    """The library. Without a C compiler the test is skipped, or fails with DRA_REQUIRE_GO=1 in the environment."""
    try:
        return library()
    except BuildError as error:
        if os.environ.get("DRA_REQUIRE_GO") == "1":
            pytest.fail(f"DRA_REQUIRE_GO=1, and yet: {error}", pytrace=False)
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def pynvml(libnvml: Path) -> ModuleType:
    """nvidia-ml-py. The loader gives it the library that is loaded already, by its name."""
    ctypes.CDLL(str(libnvml), mode=ctypes.RTLD_GLOBAL)
    return importlib.import_module("pynvml")


class Machine:
    """A node whose GPUs are an inventory file, asked through NVML."""

    def __init__(self, file: Path, nvml: ModuleType) -> None:
        self.file, self.nvml = file, nvml

    def happens(self, *event: str) -> None:
        """Let something happen to its GPUs."""
        assert main([str(self.file), *event]) == 0

    def gpu(self, index: int) -> Any:
        """NVML's handle."""
        return self.nvml.nvmlDeviceGetHandleByIndex(index)

    def error(self, function: str, *arguments: Any) -> str:
        """How a function fails."""
        with pytest.raises(self.nvml.NVMLError) as raised:
            getattr(self.nvml, function)(*arguments)
        return str(raised.value)


@pytest.fixture
def machine(tmp_path: Path, pynvml: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    """A node that has the GPUs of an example until `happens("fleet", …)`; NVML is not initialised yet."""
    made = Machine(tmp_path / "gpus.yaml", pynvml)
    made.happens("table")
    monkeypatch.setenv("FAKEGPU_NVML", f"{made.file}.nvml")
    yield made
    while True:
        try:
            pynvml.nvmlShutdown()
        except pynvml.NVMLError:
            break


@pytest.fixture
def fleet(machine: Machine, request: pytest.FixtureRequest) -> Machine:
    """A node with the fleet that the test asks for, in use."""
    machine.happens("fleet", request.param)
    machine.nvml.nvmlInit()
    return machine


def of(name: str) -> pytest.MarkDecorator:
    """Marks a test that wants a fleet."""
    return pytest.mark.parametrize("fleet", [name], indirect=True)
