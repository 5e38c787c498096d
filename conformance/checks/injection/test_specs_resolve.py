"""The CDI ids of an answer lead to specs that the runtime can use."""

from conformance.check import check
from conformance.cluster import Cluster, Node
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
    malformed = [cdi_id for cdi_id in answer.cdi_ids if not is_qualified(cdi_id)]
    expect("PREP-09").equal(malformed, [], "CDI ids are fully qualified: vendor/class=name")
    errors = {path.name: error for path, error in node.cdi.errors().items()}
    conflicts = {name: error for name, error in errors.items() if "conflict" in error}
    expect("CDI-04").equal(conflicts, {}, "no device is defined twice")
    expect("CDI-02").equal(errors, {}, "every spec file is valid")
    expect("PREP-08").equal(node.cdi.unresolved(answer.cdi_ids), [], "every CDI id is in a spec when Prepare returns")
    pod.wait_running()
    expect("CDI-01").equal(
        list(node.container(pod.uid, "main").cdi_ids), answer.cdi_ids, "the runtime injected every id"
    )


def is_qualified(cdi_id: str) -> bool:
    """Whether it has the form vendor/class=name."""
    kind, equals, name = cdi_id.partition("=")
    vendor, slash, device_class = kind.partition("/")
    return bool(equals and slash and vendor and device_class and name)
