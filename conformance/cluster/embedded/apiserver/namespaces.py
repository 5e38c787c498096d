"""The life of namespaces: nothing without one, nothing new in one that ends, and it goes with its last object."""

from typing import TYPE_CHECKING

from conformance.cluster.embedded.apiserver import status
from conformance.cluster.embedded.apiserver.kinds import KINDS
from conformance.cluster.embedded.apiserver.objects import Object
from conformance.cluster.resources import RESOURCES, Resource

if TYPE_CHECKING:
    from conformance.cluster.embedded.apiserver.store import Store

_LASTING = ("default", "kube-system", "kube-public")


def check(store: "Store", resource: Resource, obj: Object) -> None:
    """Raises NotFound when the new object's namespace does not exist, Forbidden when it is being deleted."""
    if not resource.namespaced:
        return
    namespace = obj["metadata"]["namespace"]
    if "deletionTimestamp" in store.get("namespaces", namespace)["metadata"]:
        why = f"unable to create new content in namespace {namespace} because it is being terminated"
        raise status.forbidden(resource, obj["metadata"]["name"], why)


def check_deletable(resource: Resource, name: str) -> None:
    """Raises Forbidden for the namespaces that every cluster has (admission plugin NamespaceLifecycle)."""
    if resource.plural == "namespaces" and name in _LASTING:
        raise status.forbidden(resource, name, "this namespace may not be deleted")


def empty(store: "Store", namespace: str) -> None:
    """Delete all that is in a namespace that is being deleted; the namespace too, when that leaves nothing."""
    for plural, kind in KINDS.items():
        if kind.resource.namespaced:
            store.delete_collection(plural, namespace)
    _finish(store, namespace)


def finish(store: "Store", gone: Object) -> None:
    """After an object went: its namespace goes, too, if it waits for that."""
    if "namespace" in gone["metadata"]:
        _finish(store, gone["metadata"]["namespace"])


def _finish(store: "Store", namespace: str) -> None:
    if not store.exists("namespaces", namespace):
        return
    stored = store.get("namespaces", namespace)
    if "deletionTimestamp" in stored["metadata"] and not _occupied(store, namespace):
        store.drop("namespaces", namespace)


def _occupied(store: "Store", namespace: str) -> bool:
    spaced = (plural for plural, resource in RESOURCES.items() if resource.namespaced and plural in KINDS)
    return any(store.view(plural, store.selection(plural, namespace))[0] for plural in spaced)
