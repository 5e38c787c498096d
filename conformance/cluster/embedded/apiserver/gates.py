"""Fields of features that are off in a default cluster: known, but dropped without a word.

Source: dropDisabledFields in pkg/registry/resource/*/strategy.go, feature gates of Kubernetes 1.37.
"""

from collections.abc import Iterator

from conformance.cluster.embedded.apiserver.objects import Object, dig

_LIST_ATTRIBUTES = ("ints", "bools", "strings", "versions")


def keep_all(_: Object) -> None:
    """Kinds that have no such fields."""


def slice_fields(obj: Object) -> None:
    """Of a ResourceSlice."""
    spec = obj["spec"]
    for key in ("partitionTypeAttribute", "skipNodeOperations"):
        spec.pop(key, None)
    for device in spec.get("devices", []):
        device.pop("nodeAllocatableResources", None)
        for attribute in device.get("attributes", {}).values():
            for key in _LIST_ATTRIBUTES:
                attribute.pop(key, None)
        for consumed in device.get("consumesCounters", []):
            consumed.pop("compatibilityGroups", None)


def node_fields(obj: Object) -> None:
    """Of a Node: the configuration of kubelets that the API server once had."""
    obj.get("spec", {}).pop("configSource", None)
    obj.get("status", {}).pop("config", None)


def claim_fields(obj: Object) -> None:
    """Of a ResourceClaim."""
    _requests(obj["spec"])
    for result in dig(obj, "status.allocation.devices.results") or []:
        result.pop("skipNodeOperations", None)


def template_fields(obj: Object) -> None:
    """Of a ResourceClaimTemplate."""
    _requests(obj["spec"]["spec"])


def _requests(spec: Object) -> None:
    for request in _device_requests(spec):
        request.pop("derivedAttributes", None)


def _device_requests(spec: Object) -> Iterator[Object]:
    for request in spec["devices"].get("requests", []):
        if "exactly" in request:
            yield request["exactly"]
        yield from request.get("firstAvailable", [])
