"""Configurations for some of a claim's requests."""

import copy
from typing import Any

from conformance.check import check
from conformance.checks.preparation.twice import again, twice
from conformance.cluster import Cluster, Installation, Node
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
    one, claim = scoped(driver.target, first, *others[:1])
    two = again(one)
    default = cluster.apply("one_pod.yaml", name="plain").pod("plain").wait_running()
    plain = env_unmet(first.env, node.container(default.uid, "main").env, {})
    default.delete()
    pod = cluster.apply("two_requests.yaml", claim=claim, one=one, two=two).pod("user")
    answer = pod.wait_prepared("devices")
    expect("PREP-23").equal(answer.error, "", f"configurations for requests {one} and {two} are accepted")
    shared = [device for device in answer.devices if {one, two} <= set(device.request_names)]
    pod.wait_running()
    seen = {name: node.container(pod.uid, name) for name in ("one", "two")}
    if shared or set(seen["one"].cdi_ids) & set(seen["two"].cdi_ids):
        raise NotApplicable("what the driver gives to containers is not told apart by requests")
    missing = env_unmet(first.env, seen["one"].env, {})
    expect("PREP-23").equal(missing, [], f"the container with request {one} sees the configuration for it")
    for other in others[:1]:
        missing = env_unmet(other.env, seen["two"].env, {})
        expect("PREP-23").equal(missing, [], f"the container with request {two} sees the configuration for that")
    elsewhere = env_unmet(first.env, seen["two"].env, {})
    strange = bool(plain) and not elsewhere and (not others or bool(set(others[0].env) & set(first.env)))
    expect("PREP-23").true(not strange, f"the container with request {two} sees nothing of the configuration for {one}")


def configs(target: Target) -> list[ValidConfig]:
    """Valid configurations that containers see the effect of. Raises NotApplicable where there is none."""
    found = [config for config in target.file.claim.configs.valid if config.env]
    if not found or target.driver.injection != "cdi":
        raise NotApplicable("the driver file names no valid configuration with something to see in a container")
    return found


def scoped(target: Target, *given: ValidConfig) -> tuple[str, Object]:
    """A claim for two, with a configuration for the first request, and maybe one for its double; the first's name."""
    spec = copy.deepcopy(target.claim_spec(parameters=given[0].parameters))
    requests = spec["devices"]["requests"]
    if len(requests) > 1 or "exactly" not in requests[0] or "parameters" not in spec["devices"]["config"][-1]["opaque"]:
        raise NotApplicable("a valid claim of this driver is not for one request without alternatives")
    name = str(requests[0]["name"])
    spec["devices"]["config"].pop()
    claim = twice(spec)
    for request, config in zip((name, again(name)), given, strict=False):
        opaque = {"driver": target.driver_name, "parameters": config.parameters}
        claim["devices"]["config"].append({"requests": [request], "opaque": opaque})
    return name, claim
