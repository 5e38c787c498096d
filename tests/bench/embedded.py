"""How fast the embedded cluster is with 5,000 slices of 40,000 devices.

Each figure stands beside the time that cluster and client, one process, computed for it: on a busy machine that is much
less.
"""

import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from conformance.cluster.api import Api
from conformance.cluster.embedded.backend import EmbeddedBackend
from conformance.cluster.wait import wait_for
from conformance.history import History
from conformance.session.rundir import RunDir
from tests.bench import filling
from tests.bench.figure import Figure

Obj = dict[str, Any]
_GIB = 1024**3


class Watch:
    """A stopwatch that starts when it is made."""

    def __init__(self) -> None:
        self._started, self._computed = time.monotonic(), time.process_time()

    def figure(self, what: str, limit: float | None = None) -> Figure:
        """The seconds so far."""
        computed = time.process_time() - self._computed
        return Figure(what, time.monotonic() - self._started, "s", limit, note=f"{computed:.3f} s computed")


@contextmanager
def embedded() -> Iterator[Api]:
    """The client of an embedded cluster."""
    with TemporaryDirectory() as folder:
        run = RunDir.create()
        backend = EmbeddedBackend(run.path, History(), log_dir=Path(folder))
        try:
            backend.start()
            yield backend.api
        finally:
            backend.stop()
            run.close()


def allocation(api: Api, what: str, device_class: str, *selectors: str, **exactly: Any) -> Figure:
    """From the creation of a pod until its claim is allocated."""
    name = f"bench-{uuid.uuid4().hex[:8]}"
    wish = {"deviceClassName": device_class, "selectors": [{"cel": {"expression": text}} for text in selectors]}
    requests = [{"name": "r", "exactly": {**wish, **exactly}}]
    api.create("resourceclaims", {"metadata": {"name": name}, "spec": {"devices": {"requests": requests}}}, "default")
    container = {"name": "c", "image": "none", "resources": {"claims": [{"name": "r"}]}}
    selected = {"nodeSelector": {"kubernetes.io/hostname": "bench-050"}} if device_class == "local" else {}
    spec = {"containers": [container], "resourceClaims": [{"name": "r", "resourceClaimName": name}], **selected}
    watch = Watch()
    api.create("pods", {"metadata": {"name": name}, "spec": spec}, "default")
    wait_for(
        lambda: api.get("resourceclaims", name, "default").get("status", {}).get("allocation"),
        f"claim {name} to be allocated",
        timeout=120,
    )
    return watch.figure(f"allocation, {what}", 1.0)


def measure(api: Api) -> Iterator[Figure]:
    """Fill the cluster, then use it."""
    before, watch = filling.memory(), Watch()
    filling.fill(api)
    yield watch.figure(f"create {filling.SLICES} slices, {filling.DEVICES} devices")
    last = 'device.attributes["remote.bench.example.com"].uuid == "remote-0999-7"'
    yield allocation(api, "the first, a device of one node", "local")
    yield allocation(api, "a device of one node", "local")
    yield allocation(api, "any device of 8000, 100 nodes to choose from", "remote")
    yield allocation(api, "the last device of 8000, none looked at before", "remote", last)
    yield allocation(api, "32 devices", "remote", count=32)
    for _ in range(2):
        watch = Watch()
        found = len(api.list("resourceslices")["items"])
        yield watch.figure(f"list of {found} slices over HTTPS, read by the client", 2.0)
    yield Figure("memory, more than before", (filling.memory() - before) / _GIB, "GiB", 1.0)
    yield Figure("memory, at most in all", filling.most_memory() / _GIB, "GiB")


def figures() -> Iterator[Figure]:
    """All figures, each as soon as it is known."""
    with embedded() as api:
        yield from measure(api)
