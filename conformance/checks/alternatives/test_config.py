"""Configurations for a request with alternatives, and for one of its alternatives."""

from conformance.check import check
from conformance.checks.alternatives.choice import CHOSEN, NONE, REQUEST, alternatives
from conformance.cluster import Cluster, Installation, Node
from conformance.expect import Expect
from conformance.target.expectation import env_unmet
from conformance.verdict import NotApplicable


@check(
    id="alternatives.config",
    covers=("PREP-23",),
    needs=("alternatives.chosen", "injection.config_applied"),
    profile="prioritized-list",
    features=("prioritized-list",),
    claims=1,
)
def test_config(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """A configuration for the request, or for the chosen alternative, is applied; one for the other is not."""
    config = next((config for config in driver.target.file.claim.configs.valid if config.env), None)
    if config is None or driver.target.driver.injection != "cdi":
        raise NotApplicable("the driver file names no valid configuration with something to see in a container")

    def env_with(name: str, *requests: str) -> dict[str, str]:
        given = [{"requests": list(requests), "parameters": config.parameters}] if requests else []
        pod = cluster.apply("one_pod.yaml", name=name, claim=alternatives(cluster, *given)).pod(name)
        expect("PREP-23").equal(pod.wait_prepared("devices").error, "", f"a configuration for {requests} is accepted")
        pod.wait_running()
        env = dict(node.container(pod.uid, "main").env)
        pod.delete()
        return env

    plain = env_unmet(config.env, env_with("plain"), {})
    parent = env_unmet(config.env, env_with("parent", REQUEST), {})
    expect("PREP-23").equal(parent, [], "a configuration for the request is applied to the chosen alternative")
    chosen = env_unmet(config.env, env_with("chosen", f"{REQUEST}/{CHOSEN}"), {})
    expect("PREP-23").equal(chosen, [], "a configuration for the chosen alternative is applied")
    other = env_unmet(config.env, env_with("other", f"{REQUEST}/{NONE}"), {})
    expect("PREP-23").equal(other, plain, "a configuration for another alternative is not applied")
