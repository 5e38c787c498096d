"""An Instance for drivers that have no plugin on nodes: something that publishes, wherever it runs."""

from conformance.verdict import NotRun


class ElsewhereInstance:
    """Nothing is known of it but that its slices are there."""

    uid = ""
    alive = True
    exit_status = None

    def __init__(self, node: str) -> None:
        self.node = node

    def kill(self) -> None:
        """Always raises NotRun."""
        raise NotRun("the driver has no plugin on the node, so there is nothing to kill there")

    def terminate(self, timeout: float = 30) -> int | None:
        """Always raises NotRun."""
        del timeout  # nothing is waited for
        raise NotRun("the driver has no plugin on the node, so there is nothing to end there")

    def log_tail(self, lines: int = 20) -> str:
        """Nobody knows where it logs."""
        del lines
        return ""
