"""Whatever is published can be used: each device is claimed and prepared once."""

from functools import partial

from conformance.check import check
from conformance.cluster import Cluster, Installation, Node, Pod, seen_within
from conformance.expect import Expect

MOST = 16  # claims held at once; more devices would only cost time
REFUSALS = 3


@check(
    id="allocation.every_device",
    covers=("RS-13", "PREP-10", "PREP-30"),
    needs=("allocation.class_selectors", "injection.two_claims"),
    claims=2,
)
def test_every_device(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """As many claims as the node holds at once are all prepared, each with its own devices."""
    cluster.need_calls()
    many = min(driver.target.claims_per_node, MOST)
    pods = [cluster.apply("one_pod.yaml", name=f"user-{i}").pod(f"user-{i}") for i in range(many)]
    for pod in pods:
        seen_within(partial(is_settled, pod), driver.target.file.limits.pod_running)
    answers = [pod.wait_prepared("devices") for pod in pods]
    mixed = []
    for pod, answer in zip(pods, answers, strict=True):
        allocated = {(row.pool, row.device) for row in pod.claim("devices").devices(driver.target.driver_name)}
        names = ", ".join(sorted(device for _, device in allocated))
        expect("RS-13").equal(answer.error, "", f"what is published as {names} can be prepared")
        prepared = {(device.pool_name, device.device_name) for device in answer.devices}
        mixed += sorted(prepared - allocated)
    lost = [cdi_id for answer in answers for cdi_id in node.cdi.unresolved(answer.cdi_ids)]
    expect("PREP-10").equal(mixed, [], "each answer names devices of its own claim only")
    expect("PREP-30").equal(lost, [], "the CDI ids of claims that are prepared at the same time all resolve")


def is_settled(pod: Pod) -> bool:
    """Whether it runs, or was refused again and again: calls that only took too long are not counted."""
    answers = pod.cluster.answers("NodePrepareResources", pod.claim("devices").uid)
    return pod.phase == "Running" or sum(answer.code != "DEADLINE_EXCEEDED" for answer in answers) > REFUSALS
