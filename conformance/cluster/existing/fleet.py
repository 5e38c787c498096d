"""A driver that was there before, on each of the nodes that were named."""

from collections.abc import Sequence
from contextlib import AbstractContextManager

from conformance.cluster.existing.installation import ExistingInstallation
from conformance.cluster.protocol import Instance, Node
from conformance.verdict import NotRun


class ExistingFleet:
    """Looked at; neither updated nor robbed of a node."""

    one_machine = False

    def __init__(self, installations: Sequence[ExistingInstallation]) -> None:
        self.installations = installations

    def roll_out(self) -> AbstractContextManager[Sequence[tuple[Instance, Instance]]]:
        """Always raises NotRun."""
        driver = self.installations[0].target.driver_name
        raise NotRun(f"driver {driver} was on this cluster before the suite, so it is not updated")

    def lose(self, node: Node) -> AbstractContextManager[None]:
        """Always raises NotRun."""
        raise NotRun(f"node {node.name} belongs to others, who may not want to lose it")
