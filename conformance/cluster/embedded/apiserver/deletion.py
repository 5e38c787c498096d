"""When a DELETE takes an object away at once, and when it only marks it."""

from datetime import UTC, datetime, timedelta

from conformance.cluster.embedded.apiserver import status
from conformance.cluster.embedded.apiserver.kinds import Kind
from conformance.cluster.embedded.apiserver.objects import Object, clone
from conformance.cluster.resources import Resource

_DEFAULT_GRACE = 30


def check_preconditions(resource: Resource, obj: Object, uid: str | None, version: str | None) -> None:
    """Raises Conflict when the object is another one, or was changed."""
    meta = obj["metadata"]
    if uid and uid != meta["uid"]:
        why = f"Precondition failed: UID in precondition: {uid}, UID in object meta: {meta['uid']}"
        raise status.conflict(resource, meta["name"], why)
    if version and version != meta["resourceVersion"]:
        why = (
            f"Precondition failed: ResourceVersion in precondition: {version}, "
            f"ResourceVersion in object meta: {meta['resourceVersion']}"
        )
        raise status.conflict(resource, meta["name"], why)


def mark(kind: Kind, obj: Object, grace: int | None) -> Object | None:
    """The object with its deletion time set, when something still holds it; None when it can go at once."""
    seconds = _grace(kind, obj, grace)
    meta = obj["metadata"]
    held = bool(meta.get("finalizers") or (kind.resource.plural == "namespaces"))
    if not seconds and not held:
        return None
    new: Object = clone(obj)
    changed = new["metadata"]
    if "deletionTimestamp" in meta:
        changed["deletionGracePeriodSeconds"] = min(seconds, meta.get("deletionGracePeriodSeconds", 0))
        return new
    when = datetime.now(UTC) + timedelta(seconds=seconds)
    changed["deletionTimestamp"] = when.strftime("%Y-%m-%dT%H:%M:%SZ")
    changed["deletionGracePeriodSeconds"] = seconds
    if "generation" in meta:
        changed["generation"] = meta["generation"] + 1
    if kind.resource.plural == "namespaces":
        new["status"] = {**new.get("status", {}), "phase": "Terminating"}
    return new


def _grace(kind: Kind, obj: Object, asked: int | None) -> int:
    """Seconds that a kubelet has to stop the pod; 0 for all that no kubelet runs.

    Source: CheckGracefulDelete in pkg/registry/core/pod/strategy.go.
    """
    if kind.resource.plural != "pods":
        return 0
    phase = obj.get("status", {}).get("phase")
    if not obj["spec"].get("nodeName") or phase in ("Succeeded", "Failed"):
        return 0
    if asked is not None:
        return max(asked, 0)
    return int(obj["spec"].get("terminationGracePeriodSeconds", _DEFAULT_GRACE))


def finished(obj: Object) -> bool:
    """Whether an object that is being deleted is held by nothing any more."""
    meta = obj["metadata"]
    if "deletionTimestamp" not in meta or meta.get("finalizers") or obj["kind"] == "Namespace":
        return False
    return not meta.get("deletionGracePeriodSeconds")
