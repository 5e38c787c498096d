"""The Docker engine: whether it answers and has room, and if not, what is missing."""

import json
import os
import platform
import shutil
from pathlib import Path
from typing import Any

from conformance.cluster.kind.assets import asset
from conformance.cluster.kind.command import last_words, run
from conformance.verdict import Inconclusive

_ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
_ANSWERS_WITHIN = 30.0
_MEGABYTE = 1_000_000
CLUSTER = 3000 * _MEGABYTE
"""Bytes that a cluster and a driver's image take on the disk."""
NODE_IMAGE = 3500 * _MEGABYTE
"""Bytes that a node image takes while it is made."""


def check_engine() -> None:
    """Raises Inconclusive with one sentence that says what is missing and how to get it."""
    if platform.system() != "Linux" or platform.machine() not in _ARCHITECTURES:
        machines = " or ".join(_ARCHITECTURES)
        raise Inconclusive(
            f"--cluster=kind needs Linux on {machines}, this is {platform.system()} {platform.machine()}"
        )
    if os.geteuid() != 0:
        raise Inconclusive("--cluster=kind needs root, as it looks into the nodes' file systems and processes")
    if shutil.which("docker") is None:
        raise Inconclusive(f"--cluster=kind needs Docker: there is no command docker; {asset('engine.sh')} installs it")
    facts = _ask()
    if facts.get("OSType") != "linux":
        raise Inconclusive(f"--cluster=kind needs a Docker engine for Linux, this one is for {facts.get('OSType')}")
    check_room(CLUSTER, "a cluster", Path(facts["DockerRootDir"]))


def architecture() -> str:
    """The architecture of this machine, in the words of images: amd64, arm64."""
    return _ARCHITECTURES[platform.machine()]


def check_room(needed: int, what: str, folder: Path | None = None) -> None:
    """Raises Inconclusive when the disk that Docker's folder is on has not got so many bytes left for `what`."""
    folder = folder or Path(_ask()["DockerRootDir"])
    if not folder.exists():
        return  # the engine sees another file system than we do; it will say itself that it is full
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise Inconclusive(
            f"the disk is full: {folder} has {free // _MEGABYTE} MB left, and {what} takes {needed // _MEGABYTE} MB; "
            "`docker system df` shows what Docker has on it"
        )


def _ask() -> dict[str, Any]:
    """What the engine says of itself. Raises Inconclusive."""
    try:
        said = run(["docker", "info", "--format", "{{json .}}"], "ask the Docker engine", timeout=_ANSWERS_WITHIN)
        facts: dict[str, Any] = json.loads(said)
    except (Inconclusive, ValueError) as error:
        facts = {"ServerErrors": [str(error).removeprefix("cannot ask the Docker engine: ")]}
    if errors := facts.get("ServerErrors"):
        where, why = os.environ.get("DOCKER_HOST", ""), last_words(errors[0])
        at = f" at {where}" if where else ""
        hint = "" if "may not" in why else f"; {asset('engine.sh')} starts one"
        raise Inconclusive(f"--cluster=kind needs a Docker engine{at}, but {why}{hint}")
    return facts
