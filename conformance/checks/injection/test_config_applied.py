"""An opaque configuration reaches the claim that it stands in, and no other."""

from conformance.check import check
from conformance.cluster import Cluster, Installation, Node
from conformance.expect import Expect
from conformance.target.expectation import env_unmet
from conformance.verdict import NotApplicable


@check(
    id="injection.config_applied",
    covers=("PREP-23",),
    needs=("injection.two_claims",),
    claims=2,
)
def test_config_applied(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """Containers see the effect of each valid configuration; a claim without it beside them does not."""
    configs = [config for config in driver.target.file.claim.configs.valid if config.env]
    if driver.target.driver.injection != "cdi":
        raise NotApplicable(f"devices get into containers by {driver.target.driver.injection}, not CDI")
    if not configs:
        raise NotApplicable("the driver file names no valid configuration with something to see in a container")
    plain = cluster.apply("one_pod.yaml", name="plain").pod("plain")
    plain.wait_running()
    default = node.container(plain.uid, "main").env
    for number, config in enumerate(configs):
        name = f"configured-{number}"
        claim = driver.target.claim_spec(parameters=config.parameters)
        pod = cluster.apply("one_pod.yaml", name=name, claim=claim).pod(name)
        expect("PREP-23").equal(pod.wait_prepared("devices").error, "", f"{config.parameters} is accepted")
        pod.wait_running()
        unmet = env_unmet(config.env, node.container(pod.uid, "main").env, {})
        expect("PREP-23").equal(unmet, [], f"the container sees the effect of {config.parameters}")
        beside = node.restart_container(plain.uid, "main").env
        expect("PREP-23").equal(beside, default, "a claim without the configuration sees nothing of it")
        pod.delete()
