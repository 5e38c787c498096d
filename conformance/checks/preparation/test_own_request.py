"""A container gets the devices of the request that it names, and no others."""

from collections.abc import Mapping, Sequence

from conformance.check import check
from conformance.checks.preparation.twice import again, twice
from conformance.cluster import Cluster, ContainerView, Installation, PreparedDevice
from conformance.expect import Expect
from conformance.target.expectation import ContainerExpectation
from conformance.verdict import NotApplicable

Facts = Mapping[str, str]


@check(
    id="preparation.own_request",
    covers=("PREP-21",),
    needs=("preparation.several_devices", "injection.container_sees"),
    claims=2,
)
def test_own_request(cluster: Cluster, driver: Installation, expect: Expect) -> None:
    """A container that names one request of a claim sees its devices alone; one that names no claim sees nothing."""
    expected = driver.target.container_expectation
    if driver.target.driver.injection != "cdi":
        raise NotApplicable(f"devices get into containers by {driver.target.driver.injection}, not CDI")
    claim = twice(driver.target.claim_spec())
    one = claim["devices"]["requests"][0]["name"]
    pod = cluster.apply("apart.yaml", claim=claim, one=one, other=again(one)).pod("user")
    answer = pod.wait_prepared("devices")
    pod.wait_running()
    allocated = pod.claim("devices")
    facts = [device.facts(allocated.uid) for device in allocated.devices(driver.target.driver_name)]
    for container, request in (("one", one), ("other", again(one))):
        own = [each for each in facts if each["request"] == request]
        view = pod.container(container)
        expect("PREP-21").equal(
            expected.unmet(own, **view.seen()), [], f"the container that names request {request} sees its devices"
        )
        others = [each for each in facts if not is_for(request, each, answer.devices)]
        surplus = sorted(met(expected, others, view) - wanted(expected, own))
        expect("PREP-21").equal(
            surplus, [], f"it sees no device that the answer gives to other requests than {request}"
        )
    idle = sorted(met(expected, facts, pod.container("none")))
    expect("PREP-21").equal(idle, [], "a container of the pod that names no claim sees nothing of the devices")


def is_for(request: str, facts: Facts, prepared: Sequence[PreparedDevice]) -> bool:
    """Whether the answer gives the device to a request: it names it, or no request, which stands for every one."""
    key = (facts["pool"], facts["device"])
    names = [device.request_names for device in prepared if (device.pool_name, device.device_name) == key]
    return any(not each or request in each for each in names) or not names


def wanted(expected: ContainerExpectation, facts: Sequence[Facts]) -> set[str]:
    """All that a container with these devices must see."""
    return set(expected.unmet(facts, env={}, net_devices=()))


def met(expected: ContainerExpectation, facts: Sequence[Facts], view: ContainerView) -> set[str]:
    """What a container sees of all that one with these devices must see."""
    return wanted(expected, facts) - set(expected.unmet(facts, **view.seen()))
