"""Bringing a cluster up: dead runs are swept, the node image is got, a kept cluster is used or a new one made."""

import hashlib
from contextlib import ExitStack
from pathlib import Path

from conformance.cluster.kind import kept, lifecycle, node_image
from conformance.cluster.kind.command import Say
from conformance.cluster.kind.configuration import write_config
from conformance.cluster.kind.creation import Order
from conformance.cluster.kind.images import Image
from conformance.cluster.kind.programs import Programs
from conformance.cluster.kind.settings import KindSettings
from conformance.verdict import Inconclusive

KUBECONFIG = "kubeconfig"
"""The administrator's kubeconfig, in the run's folder."""


def bring_up(
    settings: KindSettings, programs: Programs, run_dir: Path, log: Path, running: ExitStack, say: Say
) -> lifecycle.Cluster:
    """A cluster that is ready; what takes it down again, or leaves it for the next run, is pushed on `running`.

    Raises Inconclusive.
    """
    kind = programs.kind()
    for swept in lifecycle.sweep(kind):
        say(f"deleted cluster {swept}, which a run that was killed had left")
    node_image.sweep()
    image = node_image.get(settings, programs, run_dir, say)
    config = run_dir / "kind.yaml"
    write_config(
        config, settings.kubernetes, real_timers=settings.real_timers, network=not node_image.has_network(image)
    )
    order = Order(image.reference, config, run_dir / KUBECONFIG, log, run_dir)
    if settings.keep:
        cluster = lifecycle.take_kept(kind)
        _keep(cluster, order, record(settings, image, config), running, say)
        return cluster
    cluster = lifecycle.Cluster(kind, lifecycle.cluster_name(run_dir))
    cluster.take()
    running.callback(cluster.delete)
    cluster.create(order)
    return cluster


def record(settings: KindSettings, image: Image, config: Path) -> kept.Record:
    """What a cluster is made of, as it is written into one that is kept."""
    digest = hashlib.sha256(config.read_bytes()).hexdigest()[:10]
    return {
        "version": f"Kubernetes {settings.kubernetes}",
        "image": f"the node image {image.reference} ({image.id.removeprefix('sha256:')[:12]})",
        "timers": "real timers" if settings.real_timers else "fast timers",
        "configuration": f"configuration {digest}",
    }


def _keep(cluster: lifecycle.Cluster, order: Order, made_of: kept.Record, running: ExitStack, say: Say) -> None:
    running.callback(cluster.let_go)
    nodes = cluster.nodes()
    why = kept.why_not(cluster.name, nodes, made_of) if nodes else ""
    if why:
        say(f"making cluster {cluster.name} anew: {why}")
        cluster.clear()
    if why or not nodes:
        cluster.create(order)
    else:
        cluster.export(order.kubeconfig)
        kept.take(cluster.name)

    def leave(error: object, *_: object) -> None:
        try:
            if error is None:
                kept.leave(cluster.name, made_of)
        except Inconclusive as reason:
            say(f"the next run will make cluster {cluster.name} anew: {reason}")

    # Only when all that is taken down before went well: else the next run finds no record, and makes it anew.
    running.push(leave)
