"""A sick device is kept from new claims, and stays listed."""

from conformance.check import Tier, check
from conformance.checks.hardware import device_of, need_device, noticed, offered, published, sickened, taints_of
from conformance.cluster import Cluster, Installation
from conformance.expect import Expect


@check(
    id="taints.sick_device",
    covers=("RS-13", "RS-14", "RS-24", "PREP-33"),
    needs=("publishing.pool_complete", "preparation.one_claim"),
    profile="taints",
    tier=Tier.DISRUPT_DRIVER,
    features=("taints",),
    hooks=("sicken_device", "recover_device"),
    claims=1,
)
def test_sick_device(cluster: Cluster, driver: Installation, expect: Expect) -> None:
    """A device that falls sick while a claim has it stays listed with a taint of the driver's until it is well."""
    before = offered(cluster)
    pod = cluster.apply("one_pod.yaml").pod("user").wait_running()
    device = device_of(pod)
    listed = device in published(cluster)
    with sickened(cluster, driver, device):
        sick = noticed(cluster, before, device)
        need_device(sick, device, "sickenDevice")
        taints = taints_of(published(cluster).get(device))
    back = before <= offered(cluster)
    foreign = [taint["key"] for taint in taints if not is_of(taint["key"], driver.target.driver_name)]
    expect("RS-13").true(sick, "a device that is sick is removed from the slices, or tainted")
    expect("RS-14").true(listed, "a device that a claim has stays listed")
    expect("RS-14").true(taints, "a sick device that a claim has stays listed, with a taint")
    expect("RS-24").equal(foreign, [], "the keys of taints are in the driver's domain")
    expect("PREP-33").true(back, "a device that has recovered is offered again")


def is_of(key: str, driver: str) -> bool:
    """Whether a taint's key is in a domain of the driver, which may be one above or below its name."""
    domain = key.rpartition("/")[0].lower()
    name = driver.lower()
    return domain == name or domain.endswith(f".{name}") or ("." in domain and name.endswith(f".{domain}"))
