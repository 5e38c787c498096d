"""Pods that ask for devices as they did before there were claims: by the name of a resource."""

from typing import Any

from conformance.check import check
from conformance.checks.allocation.selection import eligible
from conformance.checks.offered import need_feature
from conformance.cluster import Claim, Cluster, Installation, Node, Pod, wait_for
from conformance.expect import Expect
from conformance.verdict import NotApplicable

Object = dict[str, Any]
_IMPLICIT = "deviceclass.resource.kubernetes.io/"


@check(
    id="extended.resource",
    covers=("PREP-10", "PREP-11", "PREP-21"),
    needs=("preparation.several_devices",),
    profile="extended-resource",
    features=("extended-resource",),
    claims=2,
)
def test_resource(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """Containers that ask for a resource, by its own name or by that of the device class, get a device each."""
    name, resource = explicit(cluster)
    names = [resource, _IMPLICIT + name][: len(eligible(cluster, {"deviceClassName": name}))]
    containers = [container(cluster, f"user-{number}", wanted) for number, wanted in enumerate(names)]
    pod = cluster.apply("pod.yaml", containers=containers).pod("user")
    claim, mappings = made_for(pod)
    cluster.need_calls()
    answer = cluster.wait_answer("NodePrepareResources", claim.uid)
    rows = claim.devices(driver.target.driver_name)
    expect("PREP-10").equal(answer.error, "", f"the claim for {resource} is prepared")
    known = {(row.pool, row.device) for row in rows}
    strange = sorted({(device.pool_name, device.device_name) for device in answer.devices} - known)
    expect("PREP-10").equal(strange, [], "each device of the answer is one that was allocated")
    given = {name for device in answer.devices for name in device.request_names}
    expect("PREP-11").equal(sorted(given - {row.request for row in rows}), [], "request names are those of the claim")
    pod.wait_running()
    if driver.target.driver.injection != "cdi":
        expect("PREP-21").true(pod.phase == "Running", "the pod runs with a device for each container")
        return
    for user, request in mappings.items():
        facts = [row.facts(claim.uid) for row in rows if row.request == request]
        unmet = driver.target.container_expectation.unmet(facts, **node.container(pod.uid, user).seen())
        expect("PREP-21").equal(unmet, [], f"container {user} sees of its device what the driver file says")


def container(cluster: Cluster, name: str, resource: str) -> Object:
    """A container that asks for one of a resource."""
    return {"name": name, "image": cluster.backend.image, "resources": {"limits": {resource: "1"}}}


def explicit(cluster: Cluster) -> tuple[str, str]:
    """A device class of the driver file with the resource that it stands for. Raises NotRun, NotApplicable."""
    need_feature(cluster, "extended-resource")
    for name in cluster.target.device_classes:
        resource = cluster.api.get("deviceclasses", name)["spec"].get("extendedResourceName")
        if resource:
            return name, str(resource)
    raise NotApplicable("no device class of the driver file has an extendedResourceName")


def made_for(pod: Pod) -> tuple[Claim, dict[str, str]]:
    """The claim that the scheduler makes for a pod's resources, and the request that each container has of it."""

    def noted() -> Object:
        return dict((pod.get().get("status") or {}).get("extendedResourceClaimStatus") or {})

    status = wait_for(noted, f"pod {pod.name} to get a claim for its resources", timeout=30, otherwise=pod.trouble)
    requests = {row["containerName"]: row["requestName"] for row in status["requestMappings"]}
    return pod.cluster.claim(status["resourceClaimName"]), requests
