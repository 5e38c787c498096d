"""The image of nodes: the one asked for, one that kind publishes where a registry answers, or one made here, once."""

import fcntl
import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from conformance.cluster.kind import images
from conformance.cluster.kind.assets import asset
from conformance.cluster.kind.command import Say, follow, run
from conformance.cluster.kind.engine import NODE_IMAGE, check_room
from conformance.cluster.kind.images import LABEL, OUR_NODE, Image
from conformance.cluster.kind.programs import Programs
from conformance.cluster.kind.settings import KindSettings
from conformance.images import NODES, NODES_OF_KIND, mirrored
from conformance.session.rundir import RUN_VARIABLE
from conformance.target.build import cache_dir
from conformance.verdict import Inconclusive

_RECIPE = (
    "node-image/build.sh",
    "node-image/Dockerfile",
    "node-image/10-static.conflist",
    "workload/wait.c",
    "runc-capped",
)
_IMPORTER = "dra-conformance-import-"
_LOOK = 60.0


def get(settings: KindSettings, programs: Programs, run_dir: Path, say: Say) -> Image:
    """The image that settings ask for; run_dir is a folder for what is made on the way. Raises Inconclusive."""
    return provide(
        settings.image,
        settings.kubernetes,
        exact=settings.exact,
        registry=settings.registry,
        programs=programs.all,
        run_dir=run_dir,
        say=say,
    )


def provide(
    asked: str,
    version: str,
    *,
    exact: bool,
    programs: Callable[[], Path],
    run_dir: Path,
    say: Say,
    registry: str = "",
) -> Image:
    """The image that `asked` names; else one for a version of Kubernetes that is there, can be pulled, or is made.

    exact: whether no other patch version will do. programs: asked for the folder with all programs of a node, when an
    image has to be made of them. registry: the mirror that published ones are pulled from. Raises Inconclusive.
    """
    if asked:
        if images.find(asked) is None:
            images.pull(asked, say)
        return images.usable(asked)
    made_here = f"dra-conformance/node:v{version}-{_digest(_RECIPE)}"
    published = [mirrored(reference, registry) for reference in of_kind(version, exact=exact)]
    for reference in (made_here, *published):
        if images.find(reference):
            return images.usable(reference)
    for reference in published:
        try:
            images.pull(reference, say)
            return images.usable(reference)
        except Inconclusive as error:
            say(str(error))
    return _make(made_here, version, programs(), run_dir, say)


def of_kind(version: str, *, exact: bool) -> list[str]:
    """The images that kind publishes of a version, the better one first."""
    published = [f"{NODES}:v{version}"]
    if not exact and NODES_OF_KIND.startswith(f"{published[0].rpartition('.')[0]}."):
        published.append(NODES_OF_KIND)
    return published


def has_network(image: Image) -> bool:
    """Whether nodes of this image have their network configured, so that kind must not bring its own."""
    return image.purpose == OUR_NODE


def sweep() -> None:
    """Remove what is left of a node image whose making was killed; one that is being made is let be.

    Raises Inconclusive.
    """
    with _lock("node-image", wait=False) as ours:
        if ours:
            _remove_rests()


def _make(tag: str, version: str, programs: Path, run_dir: Path, say: Say) -> Image:
    with _lock("node-image", wait=True):
        if images.find(tag) is None:  # another run may just have made it
            _remove_rests()
            check_room(NODE_IMAGE, "making a node image")
            say(f"making the node image for Kubernetes {version}; needed once, it takes about 2 minutes")
            scratch = run_dir / "node-image"
            scratch.mkdir(exist_ok=True)
            command: list[str | Path] = ["bash", asset("node-image/build.sh"), programs, tag, f"v{version}"]
            env = {"TMPDIR": str(scratch), RUN_VARIABLE: str(run_dir)}
            try:
                follow(command, "make the node image", say, env=env)
            finally:
                _remove_rests()
    return images.usable(tag)


def _remove_rests() -> None:
    """Containers and images that build.sh removes at its end; only for who holds the lock."""
    importers = run(
        ["docker", "ps", "--all", "--quiet", "--filter", f"name={_IMPORTER}"], "list containers", timeout=_LOOK
    )
    if importers.split():
        run(["docker", "rm", "--force", "--volumes", *importers.split()], "remove containers", timeout=_LOOK)
    ours, form = f"label={LABEL}={OUR_NODE}", "{{.Repository}}:{{.Tag}}"
    tags = run(["docker", "image", "ls", "--filter", ours, "--format", form], "list images", timeout=_LOOK)
    rests = [tag for tag in tags.split() if tag.endswith("-empty") or tag.startswith("registry.k8s.io/")]
    if rests:
        run(["docker", "image", "rm", *rests], "remove images", timeout=_LOOK)
    images.sweep()


def _digest(names: Sequence[str]) -> str:
    total = hashlib.sha256()
    for name in names:
        total.update(asset(name).read_bytes())
    return total.hexdigest()[:10]


@contextmanager
def _lock(name: str, *, wait: bool) -> Iterator[bool]:
    """Whether the lock is ours inside the block; always with `wait`."""
    cache_dir().mkdir(parents=True, exist_ok=True)
    with (cache_dir() / f".{name}.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            yield False
        else:
            yield True
