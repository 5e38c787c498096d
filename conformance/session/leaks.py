"""The leak oracle: what is left on the node of claims that are gone, found by the claims' UIDs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from conformance.verdict import Unjudged

if TYPE_CHECKING:
    from conformance.cluster import ClaimRef, Cluster
    from conformance.history import History


def claims_of(history: "History", namespace: str, since: int) -> list["ClaimRef"]:
    """Claims of a namespace that existed or that the driver was asked about, from the history."""
    from conformance.cluster import ClaimRef

    found: dict[str, ClaimRef] = {}
    for event in history.events("api", lambda e: e["resource"] == "resourceclaims", since):
        metadata = event.data["object"]["metadata"]
        if metadata.get("namespace") == namespace:
            found[metadata["uid"]] = ClaimRef(namespace, metadata["name"], metadata["uid"])
    for event in history.events("rpc", since=since):
        for claim in (event["request"] or {}).get("claims", ()):
            if claim["namespace"] == namespace:
                found[claim["uid"]] = ClaimRef(namespace, claim["name"], claim["uid"])
    return list(found.values())


def let_go(cluster: "Cluster", claims: Sequence["ClaimRef"], since: int) -> list["ClaimRef"]:
    """Unprepare what a check itself prepared and left; returns the claims that the driver says are unprepared."""
    done = []
    for claim in claims:
        last = _last_call(cluster.history, claim.uid, since)
        if last == "NodePrepareResources":
            try:
                cluster.node.unprepare(claim, driver=cluster.target.driver_name)
            except Unjudged:
                continue
        answers = cluster.answers_seen("NodeUnprepareResources", claim.uid, since)
        if answers and not answers[-1].entry(claim).error:
            done.append(claim)
    return done


def _last_call(history: "History", uid: str, since: int) -> str:
    method = ""
    for event in history.events("rpc", lambda e: e["phase"] == "end", since):
        if any(claim["uid"] == uid for claim in (event["request"] or {}).get("claims", ())):
            method = str(event["method"])
    return method


def record_leaks(cluster: "Cluster", check_id: str, claims: Sequence["ClaimRef"], forced: Sequence[str]) -> int:
    """Write into the history what is left: CDI devices of unprepared claims, objects that had to be forced out."""
    found = [(claim.uid, "cdi", str(left)) for claim in claims for left in cluster.node.cdi.devices_for(claim.uid)]
    found += [("", name.partition("/")[0], f"{cluster.namespace}/{name.partition('/')[2]}") for name in forced]
    for claim_uid, what, where in found:
        cluster.history.record("leak", check=check_id, claim=claim_uid, what=what, where=where)
    return len(found)
