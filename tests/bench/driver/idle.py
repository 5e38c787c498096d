"""A minute in which nobody asks the driver for anything."""

import time
from collections.abc import Iterator

from tests.bench.driver.control_plane import ControlPlane
from tests.bench.driver.node import Node
from tests.bench.figure import Figure, say


def figures(plane: ControlPlane, node: Node, seconds: float) -> Iterator[Figure]:
    """What the driver does meanwhile. All others on the API server must be idle too."""
    say(f"{seconds:.0f} s of idleness …")
    cpu, written, writes = node.cpu(), node.written(), plane.writes()
    time.sleep(seconds)  # what is measured is this time itself
    yield Figure("idle: processor", 100 * (node.cpu() - cpu) / seconds, "%", 0.5)
    yield Figure("idle: written to disk", node.written() - written, "bytes", 0)
    yield Figure("idle: writes to the API server", plane.writes() - writes, "", 0)
    yield Figure("idle: memory", node.resident(), "MiB", 100)
