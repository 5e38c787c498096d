"""What a configuration has set on a device is set back, so that the next claim finds the device as it was."""

from conformance.check import check
from conformance.cluster import Cluster, Installation, Node
from conformance.expect import Expect
from conformance.verdict import Inconclusive, NotApplicable


@check(
    id="unpreparing.settings_restored",
    covers=("UNP-07",),
    needs=("injection.config_applied", "unpreparing.device_free"),
    claims=1,
)
def test_settings_restored(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """A claim without a configuration gets from a device what it would have got before others had configured it."""
    configs = [config for config in driver.target.file.claim.configs.valid if config.env]
    if not configs:
        raise NotApplicable("the driver file names no valid configuration with something to see in a container")
    before = what_one_gets(cluster, node, "before", driver.target.claim_spec())
    for number, config in enumerate(configs):
        claim = driver.target.claim_spec(parameters=config.parameters)
        configured = what_one_gets(cluster, node, f"configured-{number}", claim)
        if configured[0] != before[0]:
            raise Inconclusive(f"the scheduler gave another device than before: {configured[0]}")
    after = what_one_gets(cluster, node, "after", driver.target.claim_spec())
    expect("UNP-07").equal(after, before, "nothing is left of configurations of earlier claims")


def what_one_gets(cluster: Cluster, node: Node, name: str, claim: dict[str, object]) -> tuple[list[str], list[str]]:
    """The devices of such a claim and the variables that its CDI devices set, without what names the claim itself."""
    pod = cluster.apply("one_pod.yaml", name=name, claim=claim).pod(name).wait_running()
    given = pod.claim("devices")
    devices = sorted(row.device for row in given.devices(cluster.target.driver_name))
    env = node.cdi.edits(pod.wait_prepared("devices").cdi_ids).env
    pod.delete()
    return devices, sorted(entry.replace(given.uid, "").replace(given.name, "") for entry in env)
