"""Images for the cluster: made locally, once, and loaded onto the nodes."""

import fcntl
import hashlib
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from conformance.cluster.kind.assets import asset
from conformance.cluster.kind.command import last_words
from conformance.target.build import cache_dir
from conformance.verdict import Inconclusive

Say = Callable[[str], object]

LABEL = "dra-conformance"
_RECIPE = (
    "node-image/build.sh",
    "node-image/Dockerfile",
    "node-image/10-static.conflist",
    "workload/wait.c",
    "runc-capped",
)


def node_image(binaries: Path, version: str, say: Say) -> str:
    """The tag of the node image for a version of Kubernetes; made of `binaries` where it is not there.

    Raises Inconclusive.
    """
    tag = f"dra-conformance/node:v{version}-{_digest(_RECIPE)}"
    with _one_at_a_time("node-image"):
        if not present(tag):
            say(f"making the node image for Kubernetes {version}; needed once, it takes about 2 minutes")
            _told(["bash", asset("node-image/build.sh"), binaries, tag, f"v{version}"], "make the node image", say)
    return tag


def present(tag: str) -> bool:
    """Whether the engine has an image."""
    done = subprocess.run(["docker", "image", "inspect", tag], capture_output=True, check=False)
    return done.returncode == 0


def _digest(names: Sequence[str]) -> str:
    total = hashlib.sha256()
    for name in names:
        total.update(asset(name).read_bytes())
    return total.hexdigest()[:10]


@contextmanager
def _one_at_a_time(name: str) -> Iterator[None]:
    cache_dir().mkdir(parents=True, exist_ok=True)
    with (cache_dir() / f".{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _told(argv: Sequence[str | Path], what: str, say: Say) -> None:
    """Run a command whose lines on standard error tell how it goes. Raises Inconclusive."""
    words = [str(word) for word in argv]
    lines = []
    with subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        assert process.stderr is not None
        for raw in process.stderr:
            lines.append(raw.decode(errors="replace").rstrip())
            say(lines[-1])
    if process.returncode != 0:
        raise Inconclusive(f"cannot {what}: {last_words(chr(10).join(lines))}")
