"""The container images that a run needs, by kind of cluster: for who has to mirror them."""

from collections.abc import Iterator
from dataclasses import dataclass

from conformance.cluster.companion import companion
from conformance.cluster.kind import node_image
from conformance.cluster.kind.settings import KUBERNETES_VERSION
from conformance.cluster.mirror import of_driver
from conformance.images import ON_NODES, PAUSE, mirrored
from conformance.target import Target

PULLED, MADE = "pulled", "made here"


@dataclass(frozen=True)
class Needed:
    """An image: what for, whether it is pulled or made on the machine that runs the suite, where a mirror has it."""

    cluster: str
    image: str
    how: str
    purpose: str
    mirrored: str = ""


def needed(cluster: str, target: Target | None, version: str, prefix: str) -> list[Needed]:
    """What a run on this kind of cluster needs; `version`: of Kubernetes, "" for the one by default.

    target: the driver under test, None for the suite's own part alone.
    """
    rows = [*_of_suite(cluster, version), *(_of_driver(cluster, target) if target else ())]
    return [
        Needed(cluster, image, how, purpose, mirrored(image, prefix) if prefix and how == PULLED else "")
        for image, how, purpose in dict.fromkeys(rows)
    ]


def _of_suite(cluster: str, version: str) -> Iterator[tuple[str, str, str]]:
    if cluster == "kind":
        first, *others = node_image.of_kind(version or KUBERNETES_VERSION, exact=bool(version))
        yield first, PULLED, "nodes; made here where it cannot be had"
        for other in others:
            yield other, PULLED, f"nodes, if there is no {first}"
        for image, made in of_driver(companion(), cluster):
            yield image, MADE if made else PULLED, "a second driver, for checks with two"
    elif cluster == "existing":
        yield ON_NODES, PULLED, "the pod on the node; --node-image names another"
        yield PAUSE, PULLED, "pods of checks, where nodes do not tell the image that they use themselves"


def _of_driver(cluster: str, target: Target) -> Iterator[tuple[str, str, str]]:
    for image, made in of_driver(target, cluster):
        yield image, MADE if made else PULLED, f"the driver {target.driver_name}"
