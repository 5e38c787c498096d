"""One cluster of kind for runs that follow each other, so that not each has to make its own."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

OPTION = "--keep-cluster"
_KEPT = "dra-conformance-kept"


@contextmanager
def kept_cluster() -> Iterator[str]:
    """The option that runs in the block are to have; their cluster ends with it, unless somebody kept it before."""
    listed = ["docker", "ps", "--all", "--quiet", f"--filter=label=io.x-k8s.kind.cluster={_KEPT}"]
    before = subprocess.run(listed, capture_output=True, text=True, check=True).stdout.split()
    try:
        yield OPTION
    finally:
        if not before:
            nodes = subprocess.run(listed, capture_output=True, text=True, check=True).stdout.split()
            subprocess.run(["docker", "rm", "--force", "--volumes", *nodes], capture_output=True, check=bool(nodes))
