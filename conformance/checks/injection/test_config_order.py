"""Configurations of the administrator, in the device class, and of the user, in the claim."""

from typing import Any

from conformance.check import check
from conformance.checks.injection.test_config_scope import configs
from conformance.cluster import Cluster, Installation, Node
from conformance.expect import Expect
from conformance.target.expectation import env_unmet
from conformance.target.model import ValidConfig
from conformance.verdict import NotApplicable

Object = dict[str, Any]


@check(
    id="injection.config_order",
    covers=("PREP-25",),
    needs=("injection.config_applied",),
    claims=1,
)
def test_config_order(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """Where the configuration of the class and that of the claim say different things, the claim's counts."""
    of_class, of_claim = rivals(configs(driver.target))
    name = class_with(cluster, of_class.parameters)

    def env_with(pod_name: str, parameters: Object | None) -> dict[str, str]:
        claim = driver.target.claim_spec(parameters=parameters, device_class=name)
        pod = cluster.apply("one_pod.yaml", name=pod_name, claim=claim).pod(pod_name)
        error = pod.wait_prepared("devices").error
        accepted = "configurations of the class, of the claim, and of both are accepted"
        if not expect("PREP-25").equal(error, "", accepted):
            return {}
        env = dict(node.container(pod.wait_running().uid, "main").env)
        pod.delete()
        return env

    if env_unmet(of_class.env, env_with("class", None), {}):
        raise NotApplicable("containers do not see configurations of classes as those of claims")
    missing = env_unmet(of_claim.env, env_with("both", of_claim.parameters), {})
    expect("PREP-25").equal(missing, [], "the configuration of the claim overrides that of the class")


def rivals(found: list[ValidConfig]) -> tuple[ValidConfig, ValidConfig]:
    """Two configurations that set one variable to different things. Raises NotApplicable."""
    for one in found:
        for other in found:
            if any(other.env.get(name, value) != value for name, value in one.env.items()):
                return one, other
    raise NotApplicable("the driver file names no two valid configurations that contradict each other in a container")


def class_with(cluster: Cluster, parameters: Object) -> str:
    """A copy of the driver's device class with a configuration; its name."""
    target = cluster.target
    spec = cluster.api.get("deviceclasses", target.device_class)["spec"]
    config = [{"opaque": {"driver": target.driver_name, "parameters": parameters}}]
    copied = {"selectors": spec.get("selectors") or [], "config": [*(spec.get("config") or ()), *config]}
    metadata = {"name": f"{cluster.namespace}.{target.device_class}"}
    kind = {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass"}
    return str(cluster.create({**kind, "metadata": metadata, "spec": copied})["metadata"]["name"])
