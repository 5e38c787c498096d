"""Nodes with made-up GPUs, asked through the real nvidia-ml-py."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from fakegpu.__main__ import main


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


def eventually(condition: Callable[[], bool]) -> None:
    """Wait until it is so."""
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)
