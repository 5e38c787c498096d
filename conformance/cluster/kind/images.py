"""Images that the Docker engine has: looked at, pulled, and removed where a run that was killed has left them."""

import json
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from conformance.cluster.kind.command import Say, end, last_words, run, started
from conformance.cluster.kind.engine import architecture
from conformance.verdict import Inconclusive

LABEL = "dra-conformance"
"""Carried by every image that is made here; its value says what it is for."""
OUR_NODE = "node-image"

_ANSWERS_WITHIN = 15.0
_PULLED_WITHIN = 1200.0
_LOOK = 30.0


@dataclass(frozen=True)
class Image:
    """An image that is there. `purpose` is what it is for when it was made here, else ""."""

    reference: str
    id: str
    architecture: str
    purpose: str


def find(reference: str) -> Image | None:
    """The image if the engine has it. Raises Inconclusive."""
    try:
        said = run(["docker", "image", "inspect", reference], f"look at image {reference}", timeout=_LOOK)
    except Inconclusive as error:
        if "no such image" in str(error).lower():
            return None
        raise
    facts: dict[str, Any] = json.loads(said)[0]
    labels = (facts.get("Config") or {}).get("Labels") or {}
    return Image(reference, facts["Id"], facts["Architecture"], labels.get(LABEL, ""))


def usable(reference: str, otherwise: str = "pull or build it first") -> Image:
    """The image, which is there and is for this machine. Raises Inconclusive with one sentence."""
    image = find(reference)
    if image is None:
        raise Inconclusive(f"image {reference} is not there: {otherwise}")
    if image.architecture != architecture():
        raise Inconclusive(
            f"image {reference} is for {image.architecture}, but this machine is {architecture()}: "
            f"pull or build it for {architecture()}"
        )
    return image


def pull(
    reference: str, say: Say, *, answers_within: float = _ANSWERS_WITHIN, pulled_within: float = _PULLED_WITHIN
) -> None:
    """Pull an image; a registry that does not answer in time is not waited for. Raises Inconclusive."""
    what = f"pull image {reference}"
    answered = False
    words = ["docker", "pull", reference]
    with tempfile.TemporaryFile() as errors, started(words, what, stderr=errors) as child:
        assert child.stdout is not None
        late = _after(answers_within, lambda: end(child))
        for line in child.stdout:
            if not answered:  # the first line comes when the registry has told what the image consists of
                late.cancel()
                answered, late = True, _after(pulled_within, lambda: end(child))
                say(f"pulling {reference}")
            if b"complete" in line:
                say(line.decode(errors="replace").strip())
        status = child.wait()
        late.cancel()
        errors.seek(0)
        said = errors.read().decode(errors="replace")
    if status < 0:
        limit = f"took longer than {pulled_within:g} s" if answered else f"did not answer within {answers_within:g} s"
        raise Inconclusive(f"cannot {what}: the registry {limit}")
    if status:
        raise Inconclusive(f"cannot {what}: {last_words(said)}")


def sweep() -> None:
    """Remove images of ours that lost their name to a newer one. Raises Inconclusive."""
    run(["docker", "image", "prune", "--force", "--filter", f"label={LABEL}"], "remove old images", timeout=_LOOK)


def _after(seconds: float, act: Callable[[], None]) -> threading.Timer:
    timer = threading.Timer(seconds, act)
    timer.daemon = True
    timer.start()
    return timer
