"""When a DELETE takes an object away at once, and when it only marks it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from conformance.cluster.embedded.apiserver import status
from conformance.cluster.embedded.apiserver.kinds import Kind
from conformance.cluster.embedded.apiserver.objects import Object, clone, timestamp
from conformance.cluster.resources import Resource

_DEFAULT_GRACE = 30
_PROPAGATION = {"Orphan": "orphan", "Foreground": "foregroundDeletion"}


def check_preconditions(resource: Resource, obj: Object, uid: str | None, version: str | None) -> None:
    """Raises Conflict when the object is another one, or was changed."""
    meta, by_kind = obj["metadata"], replace(resource, plural=resource.kind)
    if uid and uid != meta["uid"]:
        why = (
            f"the UID in the precondition ({uid}) does not match the UID in record ({meta['uid']}). "
            "The object might have been deleted and then recreated"
        )
        raise status.conflict(by_kind, meta["name"], why)
    if version and version != meta["resourceVersion"]:
        why = (
            f"the ResourceVersion in the precondition ({version}) does not match the ResourceVersion in record "
            f"({meta['resourceVersion']}). The object might have been modified"
        )
        raise status.conflict(by_kind, meta["name"], why)


def mark(kind: Kind, obj: Object, grace: int | None, propagation: str = "") -> Object | None:
    """The object with its deletion time set, when something still holds it; None when it can go at once.

    `propagation`: the garbage collector holds it for "Foreground", until its dependents are gone, and for "Orphan",
    until they are without owner.
    """
    seconds = _grace(kind, obj, grace)
    meta = obj["metadata"]
    finalizers = _finalizers(kind, obj, propagation)
    held = bool(finalizers or (kind.resource.plural == "namespaces"))
    if not seconds and not held:
        return None
    new: Object = clone(obj)
    changed = new["metadata"]
    if finalizers:
        changed["finalizers"] = finalizers
    if "deletionTimestamp" in meta:
        changed["deletionGracePeriodSeconds"] = min(seconds, meta.get("deletionGracePeriodSeconds", 0))
        return new
    when = datetime.now(UTC) + _span(seconds)
    changed["deletionTimestamp"] = when.strftime("%Y-%m-%dT%H:%M:%SZ")
    if kind.resource.plural == "namespaces":
        return {**new, "status": {**new.get("status", {}), "phase": "Terminating"}}
    changed["deletionGracePeriodSeconds"] = seconds
    if "generation" in meta:
        changed["generation"] = meta["generation"] + 1
    return new


def _finalizers(kind: Kind, obj: Object, propagation: str) -> list[str]:
    """Those there are, and the garbage collector's for a policy; nothing belongs to events."""
    before = list(obj["metadata"].get("finalizers") or [])
    if not propagation or kind.resource.plural == "events":
        return before
    kept = [name for name in before if name not in _PROPAGATION.values()]
    return [*kept, _PROPAGATION[propagation]] if propagation in _PROPAGATION else kept


def at_once(kind: Kind, obj: Object) -> Object:
    """The object as it is last seen when it goes at once: a pod says when that was."""
    new: Object = clone(obj)
    if kind.resource.plural != "pods":
        return new
    meta = new["metadata"]
    if "deletionTimestamp" not in meta and meta.get("generation"):
        meta["generation"] += 1
    return {**new, "metadata": {**meta, "deletionTimestamp": timestamp(), "deletionGracePeriodSeconds": 0}}


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


def _span(seconds: int) -> timedelta:
    """The seconds as Go's time.Duration, which wraps: too many of them are some other, maybe negative span."""
    nanoseconds = (seconds * 10**9 + 2**63) % 2**64 - 2**63
    return timedelta(microseconds=nanoseconds // 1000)


def finished(obj: Object) -> bool:
    """Whether an object that is being deleted is held by nothing any more."""
    meta = obj["metadata"]
    if "deletionTimestamp" not in meta or meta.get("finalizers") or obj["kind"] == "Namespace":
        return False
    return not meta.get("deletionGracePeriodSeconds")
