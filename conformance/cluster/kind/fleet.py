"""The driver on all workers, by its DaemonSet."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from conformance.cluster.api import Api, NotFound
from conformance.cluster.kind.installation import PodInstallation
from conformance.cluster.kind.instance import PodInstance
from conformance.cluster.kind.node import KindNode
from conformance.cluster.protocol import Node
from conformance.cluster.wait import wait_for

_READY_WITHIN = 90.0


class PodFleet:
    """One update of the DaemonSet is for all nodes; each of them can be switched off."""

    one_machine = False  # they share hardware, but each has a host name and a machine id of its own

    def __init__(self, installations: Sequence[PodInstallation], nodes: Sequence[KindNode], api: Api) -> None:
        """One of each for every node, in the same order."""
        self.installations = installations
        self._nodes = nodes
        self._api = api

    @contextmanager
    def roll_out(self) -> Iterator[Sequence[tuple[PodInstance, PodInstance]]]:
        """(old, new) of each node: one update, in which old pods are kept until the block ends."""
        with ExitStack() as ending:
            pairs = [ending.enter_context(installation.overlapping()) for installation in self.installations]
            ending.enter_context(self.installations[0].updating())
            yield [both() for both in pairs]

    @contextmanager
    def lose(self, node: Node) -> Iterator[None]:
        """The node switched off and its Node object deleted inside the block; afterwards it registers anew."""
        index = [each.name for each in self._nodes].index(node.name)
        self._nodes[index].switch_off()
        self._api.delete("nodes", node.name)
        try:
            yield
        finally:
            self._nodes[index].switch_on()
            what = f"node {node.name} to be there and ready again"
            wait_for(lambda: self._ready(node.name), what, timeout=_READY_WITHIN)
            self.installations[index].start()

    def _ready(self, name: str) -> bool:
        try:
            status = self._api.get("nodes", name).get("status") or {}
        except NotFound:
            return False
        return any(row["type"] == "Ready" and row["status"] == "True" for row in status.get("conditions") or ())
