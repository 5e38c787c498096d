"""The files of a node that define CDI devices of one claim."""

from pathlib import Path

from conformance.cluster import Cluster, Node, Shared
from conformance.verdict import NotApplicable, NotRun


def spec_files(cluster: Cluster, node: Node, uid: str) -> set[Path]:
    """CDI specs that the driver wrote for a claim. Raises NotApplicable without any, NotRun on clusters of others."""
    if isinstance(cluster.backend, Shared):
        raise NotRun("files of nodes are left alone on a cluster of others")
    found = specs_that_may_go(cluster, node, uid)
    if not found:
        raise NotApplicable("the driver writes no CDI spec for a claim")
    return found


def specs_that_may_go(cluster: Cluster, node: Node, uid: str) -> set[Path]:
    """CDI specs that the driver wrote for a claim, as far as they may be touched: none on clusters of others."""
    if isinstance(cluster.backend, Shared):
        return set()
    return {path for path, content in node.cdi.snapshot().items() if uid in path.name or uid in content}
