"""The driver's images: made as its driver file says, and loaded onto the workers of a cluster."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import conformance
from conformance.cluster.kind import images
from conformance.cluster.kind.command import run
from conformance.cluster.kind.lifecycle import Cluster
from conformance.target import Target
from conformance.target.model import InstallSection
from conformance.target.placeholders import fill


def make(target: Target, say: Callable[[str], object]) -> list[str]:
    """Run the commands of `install.build`; the tags of all images that the driver needs.

    Raises TargetError, Inconclusive.
    """
    install = target.file.install
    if install is None:
        return []
    target.build(say)
    for command in install.build:
        words = [fill(word, target.static_values()) for word in command]
        paths = [str(Path(conformance.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
        env = {"PYTHONPATH": os.pathsep.join(path for path in paths if path)}
        run(words, "make the driver's image", timeout=600, env=env)
    return tags(target)


def tags(target: Target) -> list[str]:
    """The tags of all images that the driver needs."""
    install = target.file.install or InstallSection()
    following = install.next_version.image if install.next_version else None
    return list(dict.fromkeys([*install.images, *([following] if following else [])]))


def load(cluster: Cluster, tags: Sequence[str]) -> None:
    """Load images that the engine has. Raises Inconclusive."""
    for tag in tags:
        images.usable(tag)
    if tags:
        cluster.load(tags)
