"""A cluster with a node on this machine, kept up by this process until it is told to end."""

import json
import shutil
import uuid
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from conformance.cluster import mirror
from conformance.cluster.binaries import Wanted, provide
from conformance.cluster.kubeconfig import kubeconfig_of
from conformance.cluster.local.backend import LocalBackend
from conformance.cluster.local.installation import LocalInstallation
from conformance.history import History
from conformance.session.rundir import RunDir
from conformance.target import Target
from conformance.up import kubeconfig, record
from conformance.up.following import Follower
from conformance.up.order import Order
from conformance.up.place import LOGS, Place
from conformance.up.recent import RecentHistory
from conformance.up.record import Record

Say = Callable[[str], object]

_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


def serve(order: Order, place: Place, say: Say, ready: Callable[[Record], object]) -> None:
    """Bring the cluster up, tell `ready` of it, then tell what happens, until KeyboardInterrupt.

    Nothing is left behind; of a cluster that does not come up the logs stay until the next one of that name. Raises
    Wrong, TargetError, BinariesError, ApiError, Inconclusive for what keeps it from coming up.
    """
    up = False
    try:
        with ExitStack() as ending:
            follower = _bring_up(order, place, say, ready, ending)
            up = True
            follower.follow()
    finally:
        place.clear(but_logs=not up)


def _bring_up(order: Order, place: Place, say: Say, ready: Callable[[Record], object], ending: ExitStack) -> Follower:
    """What takes it down again is pushed on `ending`."""
    targets = order.targets()
    for target in targets:
        target.build(say)
        if order.registry:
            mirror.fetch(target, order.cluster, order.registry, say)
    begun = Record.begun(order, place.path, targets)
    record.write(place.path, begun)
    run = RunDir.create()
    ending.callback(run.close)
    logs = place.path / LOGS
    shutil.rmtree(logs, ignore_errors=True)  # of one of that name that did not come up
    logs.mkdir()
    (run.path / LOGS).symlink_to(logs)  # a driver's log is seen while it is written
    record.write(place.path, begun := begun.but(run_dir=str(run.path)))
    history = RecentHistory(place.path / "history.jsonl")
    ending.callback(history.close)
    backend = _backend(order, run, history, place, say)
    backend.start()
    ending.callback(backend.stop)
    installations = [_install(backend, target) for target in targets]
    for installation in installations:
        installation.wait_ready()
    follower = Follower(history, installations, say)
    kubeconfig.write(begun.kubeconfig, kubeconfig_of(backend.administrator, "administrator"), order.name)
    ending.callback(kubeconfig.remove, begun.kubeconfig, order.name)
    done = begun.but(
        ready=True,
        kubernetes=str(backend.describe()["kubernetes"]),
        server=backend.administrator.server,
        placeholders={**backend.placeholders(), **({} if targets else {"pod_uid": str(uuid.uuid4())})},
    )
    record.write(place.path, done)
    ready(done)
    return follower


def _backend(order: Order, run: RunDir, history: History, place: Place, say: Say) -> LocalBackend:
    """The cluster, not started. Raises BinariesError."""
    logs = place.path / LOGS
    if order.cluster == "embedded":
        from conformance.cluster.embedded import EmbeddedBackend

        return EmbeddedBackend(run.path, history, log_dir=logs)
    from conformance.cluster.control_plane import ControlPlaneBackend

    found = provide(Wanted(order.binaries, order.version), say)
    return ControlPlaneBackend(run.path, history, binaries=lambda: found, log_dir=logs)


def _install(backend: LocalBackend, target: Target) -> LocalInstallation:
    """The driver, started; its device classes as if kubectl had applied them, which it then may without a warning."""
    installation = backend.install(target)
    for obj in target.class_objects():
        annotations: dict[str, Any] = {_LAST_APPLIED: json.dumps(obj)}
        backend.api.patch("deviceclasses", obj["metadata"]["name"], {"metadata": {"annotations": annotations}})
    installation.start()
    return installation
