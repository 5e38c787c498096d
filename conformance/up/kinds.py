"""A cluster of kind that is kept: Docker keeps it, so there need not be a process of ours that sees to it."""

from collections.abc import Callable
from pathlib import Path

import yaml

from conformance.cluster import mirror
from conformance.cluster.kind import tryout
from conformance.cluster.kind.tryout import Tryout
from conformance.up import kubeconfig, record
from conformance.up.order import Order
from conformance.up.place import Place
from conformance.up.record import Record

Say = Callable[[str], object]

_FOLDER = "kind"


def up(order: Order, place: Place, say: Say) -> Record:
    """Make the cluster where there is none, and install the drivers; on one that is up they come beside the others.

    A cluster that is whole stays, whatever becomes of the drivers. Raises Wrong, TargetError, ApiError, Inconclusive.
    """
    targets = order.targets()
    tryout.check(targets)
    cluster = cluster_in(place.path, order.name)
    known = record.read(place.path)
    if known is None:
        known = _make(order, place, cluster, say)
    else:
        cluster.look(order.version)
        if order.kubeconfig:
            known = _write_kubeconfig(known.but(kubeconfig=str(order.kubeconfig)), cluster)
    record.write(place.path, known)
    for target in targets:
        if order.registry:
            mirror.fetch(target, order.cluster, order.registry, say)
        cluster.install(target, say)
        known = known.but(drivers=tuple(dict.fromkeys([*known.drivers, target.driver_name])))
        record.write(place.path, known)
    return known


def cluster_in(folder: Path, name: str) -> Tryout:
    """The cluster of a place."""
    return Tryout(name, folder / _FOLDER)


def _make(order: Order, place: Place, cluster: Tryout, say: Say) -> Record:
    """Nothing is left when it fails."""
    begun = Record.begun(order, place.path, ())
    record.write(place.path, begun)
    try:
        cluster.make(order.version, order.binaries, order.registry, say)
        return _write_kubeconfig(begun.but(ready=True, kubernetes=cluster.version()), cluster)
    except BaseException:
        cluster.delete()
        place.clear()
        raise


def _write_kubeconfig(known: Record, cluster: Tryout) -> Record:
    config = yaml.safe_load(cluster.kubeconfig.read_text(encoding="utf-8"))
    kubeconfig.write(known.kubeconfig, config, known.name)
    return known.but(server=str(config["clusters"][0]["cluster"]["server"]), logs=str(cluster.kubeconfig.parent))
