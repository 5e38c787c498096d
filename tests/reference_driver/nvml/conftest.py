"""Machines whose GPUs are made up, down to the library and the files that the driver asks."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from fakegpu.__main__ import main
from reference_driver.gpu.nvml import library
from reference_driver.gpu.nvml.driver import NvmlDriver
from reference_driver.gpu.nvml.facts import GpuFacts
from reference_driver.gpu.nvml.gpus import find
from reference_driver.gpu.nvml.monitor import Monitor
from reference_driver.gpu.nvml.options import NvmlOptions
from reference_driver.gpu.nvml.remembered import Remembered
from tests.reference_driver.conftest import Start
from tests.reference_driver.process import DriverProcess

OFTEN = 0.05  # seconds between looks
LONG = 15  # seconds for what happens to be seen


class Machine:
    """A node whose GPUs are an inventory file; `root` is its file system, as far as there are files for GPUs."""

    def __init__(self, folder: Path, libnvml: Path) -> None:
        self.folder, self.libnvml = folder, libnvml
        self.file, self.root = folder / "gpus.yaml", folder / "machine"
        self._followers: list[Follower] = []

    def happens(self, *event: str) -> None:
        """Let something happen to its GPUs."""
        assert main([str(self.file), *event]) == 0

    def options(self, **more: Any) -> NvmlOptions:
        """Those of a driver on it."""
        roots = {"mounted_root": self.root, "system_root": self.root}
        return NvmlOptions(**{"library": self.libnvml, "period": OFTEN, **roots, **more})

    def library(self) -> library.Library:
        """NVML."""
        return library.load(self.libnvml, Path("/"))

    def gpus(self) -> tuple[GpuFacts, ...]:
        """What NVML says of them now."""
        nvml = self.library()
        with nvml.in_use():
            return find(nvml, self.root).gpus

    def follow(self, boot_id: str = "", **options: Any) -> "Follower":
        """A driver that follows what happens to them; it ends with the test."""
        self._followers.append(Follower(self, self.options(**options), boot_id))
        return self._followers[-1]

    def end(self) -> None:
        """End those that follow."""
        for follower in self._followers:
            follower.end()


class Follower:
    """The driver without the plugin around it: what it would publish is asked for whenever it says that it changed."""

    def __init__(self, machine: Machine, options: NvmlOptions, boot_id: str) -> None:
        self.monitor = Monitor(machine.library(), options, Remembered(machine.folder, boot_id))
        self.driver = NvmlDriver("gpu.example.com", "node-a", self.monitor, options)
        self._changed, self._stop = threading.Condition(), threading.Event()
        self.outdated = threading.Event()
        self.monitor.start(self._tell, self._stop, self.outdated.set)
        assert self.monitor.wait_first(LONG)

    def _tell(self) -> None:
        with self._changed:
            self._changed.notify_all()

    @property
    def devices(self) -> list[str]:
        """Names of what it would publish."""
        return [device.name for device in self.driver.pools()["node-a"].devices]

    @property
    def sick(self) -> dict[str, str]:
        """Names of devices that are ill, and what ails them."""
        return {row.device: row.message for row in self.driver.health() if row.healthy is False}

    def wait(self, condition: Callable[[], bool]) -> None:
        """Until it is so."""
        with self._changed:
            assert self._changed.wait_for(condition, LONG), (self.devices, self.sick)

    def end(self) -> None:
        """Stop following."""
        self._stop.set()
        self.monitor.join()


def of(fleet: str) -> pytest.MarkDecorator:
    """Marks a test that wants a fleet."""
    return pytest.mark.parametrize("machine", [fleet], indirect=True)


@pytest.fixture
def machine(
    root: Path, request: pytest.FixtureRequest, libnvml: Path, pynvml: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Machine]:
    """A node with the fleet that the test asks for."""
    made = Machine(root, libnvml)
    for event in (["fleet", request.param], ["table"], ["tree", str(made.root), "--keep"]):
        made.happens(*event)
    monkeypatch.setenv("FAKEGPU_NVML", f"{made.file}.nvml")
    yield made
    made.end()


@pytest.fixture
def run(machine: Machine, start: Start) -> Callable[..., DriverProcess]:
    """Start the driver as a process on the machine."""
    roots = [f"--driver-root-mount={machine.root}", f"--system-root={machine.root}"]
    options = ["--gpus=nvml", f"--nvml-library={machine.libnvml}", *roots, f"--look-every={OFTEN}"]
    return lambda *more, **named: start(*options, *more, **named)


def devices(slices: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The devices that are published, by name."""
    return {device["name"]: device for item in slices for device in item["spec"].get("devices", ())}
