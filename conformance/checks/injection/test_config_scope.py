"""Configurations for some of a claim's requests."""

import copy
from typing import Any

from conformance.check import check
from conformance.checks.offered import demanded_configs
from conformance.checks.preparation.twice import again, twice
from conformance.cluster import Cluster, ContainerView, Installation, Node
from conformance.expect import Expect
from conformance.target import Target
from conformance.target.expectation import env_unmet
from conformance.target.model import ValidConfig
from conformance.verdict import NotApplicable

Object = dict[str, Any]


@check(
    id="injection.config_scope",
    covers=("PREP-23",),
    needs=("injection.config_applied", "preparation.several_devices"),
    claims=2,
)
def test_config_scope(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """A configuration for one request of a claim is applied to its devices, and not to those of another request."""
    first, *others = configs(driver.target)
    plain = env_unmet(first.env, seen(cluster, node, expect, "plain")[1].env, {})
    one, two = seen(cluster, node, expect, "first", first)
    missing = env_unmet(first.env, one.env, {})
    expect("PREP-23").equal(missing, [], "the container with the configured request sees the configuration")
    elsewhere = env_unmet(first.env, two.env, {})
    expect("PREP-23").equal(elsewhere, plain, "the container with the other request sees nothing of it")
    for second in others[:1]:
        one, two = seen(cluster, node, expect, "both", first, second)
        missing = [*env_unmet(first.env, one.env, {}), *env_unmet(second.env, two.env, {})]
        expect("PREP-23").equal(missing, [], "of two configurations, each container sees the one for its request")


def seen(cluster: Cluster, node: Node, expect: Expect, name: str, *given: ValidConfig) -> list[ContainerView]:
    """What two containers see, one with each request of a claim, of which the first ones have these configurations.

    Raises NotApplicable where both get the same CDI devices.
    """
    request, claim = scoped(cluster.target, *given)
    pod = cluster.apply("two_requests.yaml", name=name, claim=claim, one=request, two=again(request)).pod(name)
    error = pod.wait_prepared("devices").error
    expect("PREP-23").equal(error, "", f"a claim with configurations for {len(given)} of 2 requests is prepared")
    pod.wait_running()
    one, two = (node.container(pod.uid, container) for container in ("one", "two"))
    if set(one.cdi_ids) & set(two.cdi_ids):
        raise NotApplicable("what the driver gives to containers is not told apart by requests")
    pod.delete()
    return [one, two]


def configs(target: Target) -> list[ValidConfig]:
    """Valid configurations that containers see the effect of. Raises NotApplicable where there is none."""
    found = [config for config in target.file.claim.configs.valid if config.env]
    if not found or target.driver.injection != "cdi":
        raise NotApplicable("the driver file names no valid configuration with something to see in a container")
    if any((entry.get("opaque") or {}).get("driver") == target.driver_name for entry in demanded_configs(target)):
        raise NotApplicable("a valid claim of this driver has a configuration already")
    return found


def scoped(target: Target, *given: ValidConfig) -> tuple[str, Object]:
    """Name of a claim's request, and the claim with it and its double, of which the first ones have configurations."""
    spec = copy.deepcopy(target.claim_spec())
    requests = spec["devices"]["requests"]
    if len(requests) > 1 or "exactly" not in requests[0]:
        raise NotApplicable("a valid claim of this driver is not for one request without alternatives")
    name = str(requests[0]["name"])
    claim = twice(spec)
    more = [
        {"requests": [request], "opaque": {"driver": target.driver_name, "parameters": config.parameters}}
        for request, config in zip((name, again(name)), given, strict=False)
    ]
    return name, {"devices": {**claim["devices"], "config": [*claim["devices"]["config"], *more]}}
