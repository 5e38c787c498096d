"""What is wrong with a driver's CDI specs, also where other vendors have theirs in the same folders."""

from collections.abc import Iterable

from conformance.cluster import Answer, Cluster, Node, Shared


def faults(cluster: Cluster, node: Node, *answers: Answer) -> dict[str, str]:
    """What is wrong with the driver's spec files after these answers, by file name.

    On a cluster of others a file is the driver's when it names the driver, a claim of the answers, or the kind of one
    of their CDI devices: what is wrong with anybody else's is not for it to answer.
    """
    errors = node.cdi.errors()
    if errors and isinstance(cluster.backend, Shared):
        signs, contents = set(_signs(cluster, answers)), node.cdi.snapshot()
        errors = {
            path: error
            for path, error in errors.items()
            if any(sign in path.name or sign in contents.get(path, "") for sign in signs)
        }
    return {path.name: error for path, error in errors.items()}


def _signs(cluster: Cluster, answers: Iterable[Answer]) -> Iterable[str]:
    yield cluster.target.driver_name
    for answer in answers:
        yield from (claim.uid for claim in answer.asked)
        yield from (cdi_id.rpartition("=")[0] for cdi_id in answer.cdi_ids if "=" in cdi_id)
