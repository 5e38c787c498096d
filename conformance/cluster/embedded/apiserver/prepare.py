"""The split between an object and its status (PrepareForCreate and PrepareForUpdate of pkg/registry)."""

from conformance.cluster.embedded.apiserver.objects import Object, clone, dig, timestamp
from conformance.cluster.embedded.apiserver.pod_defaults import admit
from conformance.cluster.embedded.apiserver.pod_status import first_status, keep_reported

_KEEP_STATUS_AT_CREATION = ("Node",)


def for_create(new: Object, *, status: bool, generation: bool) -> None:
    """Nobody creates an object with a status (but for nodes), and generations start at 1."""
    if generation:
        new["metadata"]["generation"] = 1
    if not status or new["kind"] in _KEEP_STATUS_AT_CREATION:
        return
    new.pop("status", None)
    if new["kind"] == "Pod":
        new["status"] = first_status(new)
    if new["kind"] == "Namespace":
        new["status"] = {"phase": "Active"}
        finalizers = new.setdefault("spec", {}).setdefault("finalizers", [])
        if "kubernetes" not in finalizers:
            finalizers.append("kubernetes")


def for_update(new: Object, old: Object, subresource: str, *, status: bool) -> None:
    """A write to the object leaves the status alone; one to the status leaves all else alone."""
    if subresource:
        keep = {key: value for key, value in old.items() if key not in ("status", "metadata")}
        state = new.get("status")
        metadata = new["metadata"]
        new.clear()
        new |= {**clone(keep), "metadata": metadata}
        if state is not None:
            new["status"] = state
        if new["kind"] == "ResourceClaim":
            _drop_deallocated(new, old)
        if new["kind"] == "Pod":
            keep_reported(new, old)
        return
    if status:
        new.pop("status", None)
        if "status" in old:
            new["status"] = clone(old["status"])
    if new["kind"] == "Namespace":
        new.setdefault("spec", {})["finalizers"] = clone(old.get("spec", {}).get("finalizers", []))
    if new["kind"] == "Pod":
        _keep_admitted(new["spec"], old["spec"])
    if new["kind"] == "DeviceTaintRule":
        _renew(new["spec"].get("taint") or {}, old["spec"]["taint"])


def _keep_admitted(spec: Object, old: Object) -> None:
    """What admission gave a pod stays when a writer does not repeat it."""
    for key in ("priority", "preemptionPolicy"):
        if key not in spec and key in old:
            spec[key] = old[key]
    admit({"spec": spec})


def _renew(taint: Object, old: Object) -> None:
    """A taint with another effect begins now, unless the writer says when."""
    if taint.get("effect", "") != old["effect"] and taint.get("timeAdded") == old.get("timeAdded"):
        taint["timeAdded"] = timestamp()


def _drop_deallocated(new: Object, old: Object) -> None:
    """status.devices of devices that the claim no longer has go with the allocation."""
    before, now = _allocated(old), _allocated(new)
    rows = dig(new, "status.devices")
    if rows:
        rows[:] = [row for row in rows if _device(row) not in before - now]
        if not rows:
            del new["status"]["devices"]


def _allocated(claim: Object) -> set[tuple[str, ...]]:
    return {_device(row) for row in dig(claim, "status.allocation.devices.results") or []}


def _device(row: Object) -> tuple[str, ...]:
    return tuple(row.get(key, "") for key in ("driver", "pool", "device", "shareID"))
