"""The CDI ids of an answer lead to specs that the runtime can use."""

from conformance.check import check
from conformance.cluster import Cluster, Node
from conformance.cluster.cdi import CdiError, split_device
from conformance.expect import Expect


@check(
    id="injection.specs_resolve",
    covers=("CDI-01", "CDI-02", "CDI-04", "PREP-08", "PREP-09"),
    needs=("preparation.one_claim",),
    claims=1,
)
def test_specs_resolve(cluster: Cluster, node: Node, expect: Expect) -> None:
    """When Prepare has succeeded, every CDI id of the answer is in a valid spec in a CDI folder, and the pod runs."""
    pod = cluster.apply("one_pod.yaml").pod("user")
    answer = pod.wait_prepared("devices")
    malformed = [error for error in map(why_unqualified, answer.cdi_ids) if error]
    expect("PREP-09").equal(malformed, [], "CDI ids are fully qualified: vendor/class=name")
    errors = {path.name: error for path, error in node.cdi.errors().items()}
    conflicts = {name: error for name, error in errors.items() if "conflict" in error}
    expect("CDI-04").equal(conflicts, {}, "no device is defined twice")
    expect("CDI-02").equal(errors, {}, "every spec file is valid")
    expect("PREP-08").equal(node.cdi.unresolved(answer.cdi_ids), [], "every CDI id is in a spec when Prepare returns")
    pod.wait_running()
    left_out = sorted(set(answer.cdi_ids) - set(node.container(pod.uid, "main").cdi_ids))
    expect("CDI-01").equal(left_out, [], "the runtime injected every id")


def why_unqualified(cdi_id: str) -> str:
    """Why the runtime would not take it for the name of a device; "" for a good one."""
    try:
        split_device(cdi_id)
    except CdiError as error:
        return str(error)
    return ""
