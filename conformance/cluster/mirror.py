"""Images of the driver: which its driver file names, and getting them from the mirror of --registry-prefix."""

from collections.abc import Callable, Iterator

from conformance.cluster.kind import images
from conformance.cluster.kind.command import run
from conformance.images import mirrored
from conformance.target import Target

_LOOK = 30.0


def fetch(target: Target, cluster: str, prefix: str, say: Callable[[str], object]) -> None:
    """Pull what the engine lacks for a kind of cluster from the mirror at `prefix`.

    It gets the name that the driver file and its manifests have for it. Raises Inconclusive.
    """
    for reference, made in of_driver(target, cluster):
        if not made and images.find(reference) is None:
            there = mirrored(reference, prefix)
            images.pull(there, say)
            run(["docker", "tag", there, reference], f"name {there} {reference}", timeout=_LOOK)


def of_driver(target: Target, cluster: str) -> Iterator[tuple[str, bool]]:
    """Images that the driver comes in on a kind of cluster, and whether commands of its file make them."""
    file = target.file
    if cluster == "kind" and file.install:
        following = [file.install.next_version.image] if file.install.next_version else []
        named, made = [*file.install.images, *following], bool(file.install.build)
    elif cluster in ("embedded", "control-plane") and file.image:
        following = [file.image.next_version.reference] if file.image.next_version else []
        named, made = [file.image.reference, *following], bool(file.image.build)
    else:
        return
    yield from dict.fromkeys((reference, made) for reference in named if reference)
