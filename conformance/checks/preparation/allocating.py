"""Allocations that a check writes itself, in the place of the scheduler."""

from typing import Any

from conformance.cluster import Claim, Cluster
from conformance.cluster.api import Forbidden
from conformance.verdict import NotRun

Object = dict[str, Any]


def unallocated(cluster: Cluster, name: str) -> Claim:
    """A new claim that no pod uses, so that the scheduler leaves it alone."""
    return cluster.apply("unallocated.yaml", name=name).claim(name)


def allocation_of(claim: Claim) -> Object:
    """What the scheduler has decided for a claim."""
    found: Object = claim.get()["status"]["allocation"]
    return found


def allocate(cluster: Cluster, claim: Claim, allocation: Object) -> None:
    """Write the scheduler's decision in its place. Raises NotRun where the cluster does not let us."""
    try:
        cluster.api.replace_status("resourceclaims", {**claim.get(), "status": {"allocation": allocation}})
    except Forbidden as error:
        raise NotRun(f"the run may not write the status of a claim: {error.message}") from None


def results_of(allocation: Object, driver: str) -> list[Object]:
    """The devices that are allocated of one driver."""
    return [result for result in allocation["devices"]["results"] if result["driver"] == driver]
