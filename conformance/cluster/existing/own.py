"""What is ours on somebody's cluster: everything that is created carries the run's label, and goes with the run."""

import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from conformance.cluster.api import Api, ApiError, NotFound, Object
from conformance.cluster.kubeconfig import Access
from conformance.cluster.wait import seen_within, wait_for
from conformance.verdict import Inconclusive, WaitTimeout

RUN = "dra-conformance/run"
HOME = "dra-conformance/home"
ALIVE = "dra-conformance/alive"
"""Annotation of a pod that a run which looks at no node changes for as long as it lasts."""
BEAT = 5.0  # seconds from one change to the next
_LONGEST = 63
_PRIVILEGED = {"pod-security.kubernetes.io/enforce": "privileged"}
_CLUSTER_WIDE = ("deviceclasses", "resourceslices")
_GONE_WITHIN = 120.0
_DEAD_WITHIN = 45.0
_BEGINS_WITHIN = timedelta(minutes=5)
_MISSED = 4  # changes of the sign of life that a run that lives may leave out


class OwnApi(Api):
    """A client that labels what it creates, and knows the namespaces that are its own."""

    def __init__(self, access: Access) -> None:
        super().__init__(access.server, access.ca_file, access=access)
        self.run = secrets.token_hex(4)
        self.namespaces: set[str] = set()

    def create(self, resource: str, obj: Object, namespace: str | None = None, *, version: str | None = None) -> Object:
        """As Api.create, with the run's label."""
        meta = obj["metadata"]
        extra = _PRIVILEGED if resource == "namespaces" else {}
        labelled = {**obj, "metadata": {**meta, "labels": {**extra, **(meta.get("labels") or {}), RUN: self.run}}}
        if resource == "namespaces":
            self.namespaces.add(meta["name"])
        return super().create(resource, labelled, namespace, version=version)

    def own_name(self, name: str) -> str:
        """A name that nobody else has, for an object of the whole cluster."""
        return f"{name[: _LONGEST - len(self.run) - 1].rstrip('-')}-{self.run}"


def remove(api: Api, run: str) -> None:
    """Delete all that carries a run's label and wait until it is gone. Raises Inconclusive with what is left."""
    label = f"{RUN}={run}"
    for resource in ("namespaces", *_CLUSTER_WIDE):
        with suppress(ApiError):  # we may not list or delete what we could never have made
            for item in api.list(resource, label_selector=label)["items"]:
                with suppress(NotFound):
                    api.delete(resource, item["metadata"]["name"])

    def left() -> list[str]:
        return [item["metadata"]["name"] for item in api.list("namespaces", label_selector=label)["items"]]

    try:
        wait_for(lambda: not left(), "the namespaces of the run to be gone", timeout=_GONE_WITHIN)
    except WaitTimeout:
        raise Inconclusive(f"namespaces of the suite are being deleted, but not gone: {', '.join(left())}") from None


def sweep(api: Api, say: Callable[[str], object]) -> list[str]:
    """Remove what dead runs have left; returns their labels. What carries no label of ours is never looked at."""
    swept = []
    for run in sorted(_runs(api)):
        say(f"run {run} of the suite has left something here, or is going on: looking which")
        pulse = _Pulse()
        if seen_within(lambda run=run, pulse=pulse: not _lives(api, run, pulse), _DEAD_WITHIN):  # type: ignore[misc]
            say(f"removing what run {run}, which was killed, has left")
            remove(api, run)
            swept.append(run)
    return swept


def _runs(api: Api) -> set[str]:
    found = set()
    for resource in ("namespaces", *_CLUSTER_WIDE):
        items = api.list(resource, label_selector=RUN)["items"]
        found |= {item["metadata"]["labels"][RUN] for item in items}
    return found


class _Pulse:
    """Whether the sign of life of a run still changes: clocks of two machines say nothing about each other."""

    def __init__(self) -> None:
        self._last = ""
        self._since = time.monotonic()

    def beats(self, value: str) -> bool:
        """Whether it has changed lately, now that it has this value."""
        if value != self._last:
            self._last, self._since = value, time.monotonic()
        return time.monotonic() - self._since < _MISSED * BEAT


def _lives(api: Api, run: str, pulse: _Pulse) -> bool:
    """Whether the run gives a sign of life, has a pod that runs on a node and ends soon after it, or has just begun."""
    homes = api.list("namespaces", label_selector=f"{RUN}={run},{HOME}")["items"]
    pods = [pod for home in homes for pod in api.list("pods", home["metadata"]["name"])["items"]]
    signs = [value for pod in pods if (value := (pod["metadata"].get("annotations") or {}).get(ALIVE))]
    if signs:
        return pulse.beats(signs[0])
    phases = {(pod.get("status") or {}).get("phase", "Pending") for pod in pods}
    return "Running" in phases or (phases <= {"Pending"} and any(_is_young(obj) for obj in [*homes, *pods]))


def _is_young(obj: Object) -> bool:
    born = datetime.fromisoformat(obj["metadata"]["creationTimestamp"])
    return datetime.now(UTC) - born < _BEGINS_WITHIN
