"""From the start of the process until it is registered and its devices are published."""

import statistics
from collections.abc import Iterator
from pathlib import Path

from conformance.target import Target
from tests.bench.driver.control_plane import ControlPlane
from tests.bench.driver.node import Node
from tests.bench.figure import Figure


def figures(plane: ControlPlane, run: Path, target: Target, times: int) -> Iterator[Figure]:
    """With the devices that its file has, and with 1,000; each on nodes where it never was."""
    limits = ((8, 1.5), (1000, 2.0))
    for devices, limit in limits:
        seconds = [_seconds(plane, run, f"start-{devices}-{n}", target, devices) for n in range(times)]
        what = f"start to registered, {devices} devices published"
        yield Figure(what, statistics.median(seconds), "s", limit, note=f"at most {max(seconds):.3f} s")


def _seconds(plane: ControlPlane, run: Path, name: str, target: Target, devices: int) -> float:
    node = Node(plane, run, name, target, [f"--num-devices={devices}"])
    try:
        node.register()
        return node.wait_published(plane.api)
    finally:
        node.stop()
