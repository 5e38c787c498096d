"""Writes that tell the API server which state of a slice they are meant for."""

from typing import Any

from conformance.check import Tier, check
from conformance.checks.publishing.planted import FOUND, plant, slice_to_copy
from conformance.cluster import Cluster, Installation, Node, seen_within
from conformance.cluster.apirules import Rule
from conformance.expect import Expect
from conformance.verdict import NotApplicable

Object = dict[str, Any]


@check(
    id="publishing.careful_writes",
    covers=("RS-30",),
    needs=("publishing.pool_gone", "publishing.old_generation"),
    profile="hardening",
    tier=Tier.DISRUPT_DRIVER,
)
def test_careful_writes(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """The driver updates and deletes slices with a resourceVersion or preconditions, to undo nobody's change."""
    bodies: list[tuple[str, Object]] = []

    def note(verb: str) -> Rule:
        def keep(body: Object) -> Object:
            bodies.append((verb, body))
            return body

        return Rule(methods=(verb,), path="/resourceslices/", change_request=keep)

    with cluster.backend.api_faults(driver) as faults:
        with faults.rule(note("PUT")), faults.rule(note("DELETE")) as deleting:
            spoil(cluster, node)
            plant(cluster, slice_to_copy(cluster, node), {"name": f"{cluster.namespace}-gone"})
            seen_within(lambda: {verb for verb, _ in bodies} == {"PUT", "DELETE"}, FOUND)
        bare = len(deleting.used) - sum(verb == "DELETE" for verb, _ in bodies)
    if not bodies and not bare:
        raise NotApplicable("the driver neither updates nor deletes slices when somebody else has changed them")
    careless = [f"{verb} {body.get('metadata', {}).get('name', '')}" for verb, body in bodies if not is_careful(body)]
    careless += ["DELETE"] * bare
    expect("RS-30").equal(careless, [], "updates name a resourceVersion, and deletions what they are meant for")


def is_careful(body: Object) -> bool:
    """Whether an object or the options of a deletion say which state they are for."""
    stated = body.get("preconditions") or body.get("metadata") or {}
    return bool(stated.get("resourceVersion") or (stated.get("uid") and "preconditions" in body))


def spoil(cluster: Cluster, node: Node) -> None:
    """Take a device out of a slice, as an administrator may; the driver puts it back. Raises NotApplicable."""
    item = slice_to_copy(cluster, node)
    devices = item["spec"].get("devices") or []
    cluster.api.replace("resourceslices", {**item, "spec": {**item["spec"], "devices": devices[:-1]}})
