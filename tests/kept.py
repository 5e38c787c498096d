"""Clusters of kind that are kept for runs that follow each other, so that not each has to make its own."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

OPTION = "--keep-cluster"
_KEPT = "dra-conformance-kept"


@contextmanager
def kept_cluster() -> Iterator[str]:
    """The option that runs in the block are to have; clusters that they leave end with it, but for those of before."""
    before = _nodes()
    try:
        yield OPTION
    finally:
        new = sorted(_nodes() - before)
        subprocess.run(["docker", "rm", "--force", "--volumes", *new], capture_output=True, check=bool(new))


def _nodes() -> set[str]:
    listed = ["docker", "ps", "--all", "--format={{.Names}}", f"--filter=name=^{_KEPT}"]
    return set(subprocess.run(listed, capture_output=True, text=True, check=True).stdout.split())
