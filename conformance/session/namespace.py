"""A namespace for each check, and its clean-up, which a driver that does not let go cannot stop."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from conformance.verdict import WaitTimeout

if TYPE_CHECKING:
    from conformance.cluster import Cluster

Object = dict[str, Any]

_PATIENT, _IMPATIENT = 50.0, 5.0


def namespace_name(check_id: str, number: int) -> str:
    """A namespace's name from a check's id: a DNS label of at most 63 characters."""
    tail = f"-{number}"
    stem = re.sub(r"[^a-z0-9]+", "-", f"dra-{check_id}".lower())
    return stem[: 63 - len(tail)].rstrip("-") + tail


class CleanUp:
    """Removes what checks created; after a driver has once not let go, it is not waited for that long again."""

    def __init__(self, patience: float = _PATIENT) -> None:
        self.patience = patience

    def give_up(self) -> None:
        """From now on, do not wait long: the driver will not let go."""
        self.patience = min(self.patience, _IMPATIENT)

    def pods(self, cluster: "Cluster") -> list[str]:
        """Delete the check's pods and wait until they are gone; returns those that had to be forced out."""
        return self._remove(cluster, "pods")

    def rest(self, cluster: "Cluster") -> list[str]:
        """Delete claims, templates, cluster-wide objects and the namespace; returns what had to be forced out."""
        forced = self._remove(cluster, "resourceclaims") + self._remove(cluster, "resourceclaimtemplates")
        for resource, name in cluster.cluster_scoped:
            _delete(cluster, resource, name)
        _delete(cluster, "namespaces", cluster.namespace)
        return forced

    def _remove(self, cluster: "Cluster", resource: str) -> list[str]:
        from conformance.cluster import wait_for

        for item in _items(cluster, resource):
            _delete(cluster, resource, item["metadata"]["name"], cluster.namespace)

        def gone() -> bool:
            return not _items(cluster, resource)

        try:
            wait_for(gone, f"{resource} to be gone", timeout=self.patience)
        except WaitTimeout:
            self.give_up()
            return [_force(cluster, resource, item) for item in _items(cluster, resource)]
        return []


def _items(cluster: "Cluster", resource: str) -> list[Object]:
    return list(cluster.api.list(resource, cluster.namespace)["items"])


def _delete(cluster: "Cluster", resource: str, name: str, namespace: str | None = None) -> None:
    """Ask for it to be deleted; that it is gone already is as good."""
    _quietly(lambda: cluster.api.delete(resource, name, namespace))


def _force(cluster: "Cluster", resource: str, item: Object) -> str:
    name = item["metadata"]["name"]
    if item["metadata"].get("finalizers"):
        patch = {"metadata": {"finalizers": None}}
        _quietly(lambda: cluster.api.patch(resource, name, patch, cluster.namespace))
    _quietly(lambda: cluster.api.delete(resource, name, cluster.namespace, grace_period_seconds=0))
    return f"{resource}/{name}"


def _quietly(action: Callable[[], object]) -> None:
    from conformance.cluster.api import ApiError

    try:
        action()
    except ApiError as error:
        if error.status not in (404, 409):
            raise
