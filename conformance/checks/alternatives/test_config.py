"""Configurations for a request with alternatives, and for one of its alternatives."""

from conformance.check import check
from conformance.checks.alternatives.choice import BESIDE, CHOSEN, NONE, REQUEST, configured
from conformance.checks.injection.test_config_scope import configs
from conformance.cluster import Cluster, Installation, Node
from conformance.expect import Expect
from conformance.target.expectation import env_unmet
from conformance.verdict import NotApplicable


@check(
    id="alternatives.config",
    covers=("PREP-23",),
    needs=("alternatives.chosen", "injection.config_applied", "preparation.several_devices"),
    profile="prioritized-list",
    features=("prioritized-list",),
    claims=2,
)
def test_config(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """A configuration for the request, or for the chosen alternative, is applied; one for the other is not."""
    config = configs(driver.target)[0]

    def unmet(name: str, *requests: str) -> tuple[list[str], list[str]]:
        """What containers do not see of a configuration for these: one with the alternatives, one with the other."""
        claim = configured(cluster, config.parameters, *requests)
        pod = cluster.apply("two_requests.yaml", name=name, claim=claim, one=REQUEST, two=BESIDE).pod(name)
        error = pod.wait_prepared("devices").error
        expect("PREP-23").equal(error, "", f"a configuration for {', '.join(requests) or 'nothing'} is accepted")
        seen = [node.container(pod.wait_running().uid, name) for name in ("one", "two")]
        if set(seen[0].cdi_ids) & set(seen[1].cdi_ids):
            raise NotApplicable("what the driver gives to containers is not told apart by requests")
        pod.delete()
        one, two = (env_unmet(config.env, view.env, {}) for view in seen)
        return one, two

    plain = unmet("plain")
    parent, beside = unmet("parent", REQUEST)
    expect("PREP-23").equal(parent, [], "a configuration for the request is applied to the chosen alternative")
    expect("PREP-23").equal(beside, plain[1], "a configuration for one request is not applied to the other")
    chosen, _ = unmet("chosen", f"{REQUEST}/{CHOSEN}")
    expect("PREP-23").equal(chosen, [], "a configuration for the chosen alternative is applied")
    other, _ = unmet("other", f"{REQUEST}/{NONE}")
    expect("PREP-23").equal(other, plain[0], "a configuration for an alternative that was not chosen is not applied")
