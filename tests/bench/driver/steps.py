"""Where the time goes: steps of the reference driver's calls, and what they cost without a driver."""

import http.client
import json
import os
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from conformance.cluster.dra_api import dra_v1_pb2
from conformance.cluster.kubeconfig import read_kubeconfig
from conformance.target import Target
from tests.bench.driver import traced
from tests.bench.driver.claims import NAMESPACE, allocated
from tests.bench.driver.control_plane import ControlPlane
from tests.bench.driver.node import Node
from tests.bench.driver.rounds import WARM_UP, Samples, measure


def of_a_pair(plane: ControlPlane, run: Path, target: Target, pairs: int) -> Iterator[str]:
    """A line for each step of a pair in a driver with clocks: milliseconds, share, how often. The longest first."""
    trace, samples = run / "trace.json", Samples()
    node = Node(plane, run, "traced", target, env={traced.FILE: str(trace)}, program=traced.__name__)
    try:
        node.register()
        measure(node, allocated(plane.api, node, range(1)), pairs, samples)
    finally:
        node.stop()
    all_pairs = pairs + WARM_UP
    steps = {
        name: (count / all_pairs, seconds / all_pairs)
        for name, (count, seconds) in json.loads(trace.read_text()).items()
    }
    whole = statistics.mean(samples.prepare) + statistics.mean(samples.unprepare)
    steps["gRPC, both ends"] = (2, whole - sum(seconds for _, seconds in steps.values()))
    yield f"a pair of the reference driver, one at a time, {whole * 1000:.2f} ms with clocks on its steps:"
    for name, (count, seconds) in sorted(steps.items(), key=lambda row: -row[1][1]):
        yield f"  {name:<20}{seconds * 1000:7.3f} ms {seconds / whole:6.1%}  {count:4.1f} times"


def alone(plane: ControlPlane, run: Path, nodes: dict[str, Node], claim: dra_v1_pb2.Claim, times: int) -> Iterator[str]:
    """A line for each thing that a driver cannot do without, done alone by this process: its median."""
    yield "alone, done by the bench itself:"
    with _reading(plane, claim) as read:
        yield _row("read of a claim from the API server", read, times)
    yield _row("new file and its folder, synced to the disk", lambda: _synced(run / "synced"), times)
    for name, node in nodes.items():
        yield _row(f"empty call to the {name}", node.ask_for_nothing, times)


def _row(what: str, work: Callable[[], object], times: int) -> str:
    took = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        took.append(time.perf_counter() - began)
    return f"  {what:<44}{statistics.median(took) * 1000:7.3f} ms"


@contextmanager
def _reading(plane: ControlPlane, claim: dra_v1_pb2.Claim) -> Iterator[Callable[[], bytes]]:
    """A function that reads the claim as a driver does, by one connection that is kept."""
    access = read_kubeconfig(plane.kubeconfigs[0])
    at = urlsplit(access.server)
    connection = http.client.HTTPSConnection(str(at.hostname), at.port, context=access.ssl_context())
    path = f"/apis/resource.k8s.io/v1/namespaces/{NAMESPACE}/resourceclaims/{claim.name}"

    def read() -> bytes:
        connection.request("GET", path, headers={"Authorization": f"Bearer {access.token}"})
        return connection.getresponse().read()

    with closing(connection):
        yield read


def _synced(path: Path) -> None:
    path.unlink(missing_ok=True)
    with path.open("wb") as file:
        file.write(b"x" * 1000)
        file.flush()
        os.fsync(file.fileno())
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
