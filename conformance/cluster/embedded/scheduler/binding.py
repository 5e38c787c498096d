"""Writing a placement down: finalizer, allocation and reservation of the claims; and taking it back.

Source: bindClaim, PreBind, PostFilter and Unreserve of the DynamicResources plugin.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from conformance.cluster.api_errors import ApiError, Invalid, NotFound
from conformance.cluster.embedded.apiserver.objects import timestamp
from conformance.cluster.embedded.scheduler.conditions import BindingFailed
from conformance.cluster.embedded.scheduler.model import Json, describe
from conformance.cluster.embedded.scheduler.podclaims import NotYet, reservation, reserved_for

if TYPE_CHECKING:
    from conformance.cluster.embedded.apiserver.store import Store
    from conformance.cluster.embedded.scheduler.extended import NodeClaim

FINALIZER = "resource.kubernetes.io/delete-protection"


def bind_claim(store: "Store", pod: Json, claim: Json, allocation: Mapping[str, Any] | None) -> dict[str, Any]:
    """Allocate the claim, if `allocation` is given, and reserve it for the pod, unless `claim` says that it is.

    Raises ApiError or NotYet when that is no longer possible, as somebody else has changed or replaced it, and
    BindingFailed when the API server refuses it.
    """
    name, namespace = claim["metadata"]["name"], claim["metadata"]["namespace"]
    if reserved_for(claim, pod):
        return dict(claim)
    if allocation is not None:
        store.modify("resourceclaims", name, namespace, _add_finalizer)

    def reserve(obj: dict[str, Any]) -> None:
        if obj["metadata"]["uid"] != claim["metadata"]["uid"]:
            raise NotYet(f"claim {namespace}/{name} was replaced")
        status = obj.setdefault("status", {})
        if allocation is not None and status.get("allocation"):
            raise BindingFailed(f"claim {describe(claim)} got allocated elsewhere in the meantime")
        if allocation is not None:
            status["allocation"] = dict(allocation)
        if not status.get("allocation"):
            raise BindingFailed(f"claim {describe(claim)} got deallocated elsewhere in the meantime")
        status.setdefault("reservedFor", []).append(reservation(pod))
        status["allocation"].setdefault("allocationTimestamp", timestamp())

    try:
        return store.modify("resourceclaims", name, namespace, reserve, status=True)
    except Invalid as error:
        what = "add reservation" if allocation is None else "add allocation and reservation"
        raise BindingFailed(f"{what} to claim {describe(claim)}: {error.message}") from None


def _add_finalizer(obj: dict[str, Any]) -> None:
    finalizers = obj["metadata"].setdefault("finalizers", [])
    if FINALIZER not in finalizers:
        finalizers.append(FINALIZER)


def create_extended(store: "Store", pod: Json, made: "NodeClaim", allocation: Mapping[str, Any]) -> dict[str, Any]:
    """Make a claim for extended resources, allocated and reserved, and note it in the pod's status.

    Raises ApiError when the pod or its namespace is gone, BindingFailed when the API server refuses the claim.
    """
    metadata = {key: value for key, value in made.claim["metadata"].items() if key not in ("name", "uid")}
    where = f"{metadata['namespace']}/<extended-resources>"
    try:
        claim = store.create("resourceclaims", {"metadata": metadata, "spec": made.claim["spec"]})
    except Invalid as error:
        raise BindingFailed(f"create claim for extended resources {where}: {error.message}") from None
    claim = bind_claim(store, pod, claim, allocation)
    note = {"requestMappings": made.mappings, "resourceClaimName": claim["metadata"]["name"]}

    def change(obj: dict[str, Any]) -> None:
        obj.setdefault("status", {})["extendedResourceClaimStatus"] = note

    store.modify("pods", pod["metadata"]["name"], pod["metadata"]["namespace"], change, status=True)
    return claim


def release(store: "Store", claim: Json) -> None:
    """Deallocate a claim that no node can use. Raises ApiError when it has changed."""

    def clear(obj: dict[str, Any]) -> None:
        for field in ("allocation", "reservedFor", "devices"):
            obj.get("status", {}).pop(field, None)

    store.modify("resourceclaims", claim["metadata"]["name"], claim["metadata"]["namespace"], clear, status=True)


def delete(store: "Store", claim: Json) -> None:
    """Delete a claim for extended resources, which nobody will use. Raises ApiError."""
    meta = claim["metadata"]

    def let_go(obj: dict[str, Any]) -> None:
        left = [name for name in obj["metadata"].pop("finalizers", None) or () if name != FINALIZER]
        obj["metadata"] |= {"finalizers": left} if left else {}

    with suppress(NotFound):
        store.modify("resourceclaims", meta["name"], meta["namespace"], let_go)
        store.delete("resourceclaims", meta["name"], meta["namespace"], uid=meta["uid"])


def unreserve(store: "Store", pod: Json, claims: Sequence[Json]) -> None:
    """Take the pod's reservations back; the claims stay allocated."""

    def drop(obj: dict[str, Any]) -> None:
        status = obj.setdefault("status", {})
        left = [row for row in status.get("reservedFor") or () if row["uid"] != pod["metadata"]["uid"]]
        if left:
            status["reservedFor"] = left
        else:
            status.pop("reservedFor", None)

    for claim in claims:
        with suppress(ApiError):
            store.modify("resourceclaims", claim["metadata"]["name"], claim["metadata"]["namespace"], drop, status=True)
