"""Claims that a driver must refuse for what their opaque configuration says."""

from collections.abc import Sequence

from conformance.cluster import Answer, Installation, Node, Pod, wait_for
from conformance.target.model import InvalidConfig
from conformance.verdict import NotApplicable


def invalid_configs(driver: Installation) -> Sequence[InvalidConfig]:
    """Those of the driver file. Raises NotApplicable when it names none."""
    configs = driver.target.file.claim.configs.invalid
    if not configs:
        raise NotApplicable("the driver file names no invalid opaque configuration")
    return configs


def wait_refused(node: Node, pod: Pod) -> Answer:
    """The driver's answer when it is asked once more, after the kubelet, to prepare the pod's claim."""
    pod.cluster.need_calls()
    claim = pod.claim("devices")
    claim.wait_allocated()
    wait_for(
        lambda: pod.cluster.answers("NodePrepareResources", claim.uid), f"claim {claim.name} to be tried", timeout=60
    )
    return node.prepare(claim.ref)
