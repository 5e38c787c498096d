"""Administrators look after devices that others use: their access takes nothing away."""

from typing import Any

from conformance.check import check
from conformance.checks.allocation.selection import eligible
from conformance.cluster import Cluster, Node, Pod
from conformance.cluster.api import Forbidden
from conformance.expect import Expect
from conformance.verdict import NotApplicable, NotRun

Object = dict[str, Any]
_LABEL = "resource.kubernetes.io/admin-access"
_MOST = 32  # devices of one claim


@check(
    id="admin.beside_owner",
    covers=("PREP-26",),
    needs=("injection.specs_resolve", "unpreparing.cleans_up"),
    profile="admin-access",
    features=("admin-access",),
    claims=1,
)
def test_beside_owner(cluster: Cluster, node: Node, expect: Expect) -> None:
    """Admin access to all devices is given while one is in use; its user notices nothing, nor does the next one."""
    claim = admin_claim(cluster)
    allow_admin(cluster)
    owner = cluster.apply("one_pod.yaml", name="owner").pod("owner").wait_running()
    ids, before = owner.wait_prepared("devices").cdi_ids, node.container(owner.uid, "main")
    content = {cdi_id: node.cdi.edits([cdi_id]) for cdi_id in ids}
    admin = cluster.apply("one_pod.yaml", name="admin", claim=claim).pod("admin")
    answer = admin.wait_prepared("devices")
    expect("PREP-26").equal(answer.error, "", "admin access is given to devices of which one is in use")
    lost = node.cdi.unresolved(answer.cdi_ids)
    expect("PREP-26").equal(lost, [], "the CDI ids that the administrator's claim is prepared as resolve")
    admin.wait_running()
    judge_undisturbed(node, owner, content, before, "while an administrator has access, too", expect)
    admin.delete()
    judge_undisturbed(node, owner, content, before, "once the administrator's access has ended", expect)
    cluster.apply("one_pod.yaml", name="again", claim=claim).pod("again").wait_running()
    owner.delete()
    following = cluster.apply("one_pod.yaml", name="following").pod("following")
    error = following.wait_prepared("devices").error
    expect("PREP-26").equal(error, "", "devices that an administrator has access to are prepared for others")


def admin_claim(cluster: Cluster) -> Object:
    """A claim for admin access to all devices that valid claims get. Raises NotApplicable where none can be made."""
    valid = next(iter(cluster.target.file.claim.configs.valid), None)
    spec = cluster.target.claim_spec(admin_access=True, parameters=valid.parameters if valid else None)
    for request in spec["devices"]["requests"]:
        exactly = request.get("exactly")
        if not exactly:
            raise NotApplicable("a valid claim of this driver has alternatives, which are not for admin access")
        exactly |= {"allocationMode": "All"}
        exactly.pop("count", None)
        if len(eligible(cluster, exactly)) > _MOST:
            raise NotApplicable(f"the node has more than {_MOST} devices, which is more than one claim can have")
    return spec


def allow_admin(cluster: Cluster) -> None:
    """Let claims of the check's namespace ask for admin access. Raises NotRun where the run may not allow that."""
    try:
        cluster.api.patch("namespaces", cluster.namespace, {"metadata": {"labels": {_LABEL: "true"}}})
    except Forbidden as error:
        raise NotRun(f"the run may not label its namespaces for admin access: {error.message}") from None


def judge_undisturbed(node: Node, owner: Pod, content: Object, before: object, when: str, expect: Expect) -> None:
    """PREP-26: what the owner's claim was prepared as is still so, also for a restarted container."""
    expect("PREP-26").equal(node.cdi.unresolved(content), [], f"the CDI ids of the owner's claim resolve {when}")
    changed = [cdi_id for cdi_id, edits in content.items() if node.cdi.edits([cdi_id]) != edits]
    expect("PREP-26").equal(changed, [], f"the CDI devices of the owner's claim are what they were {when}")
    after = node.restart_container(owner.uid, "main")
    expect("PREP-26").equal(after, before, f"a restarted container of the owner sees what it saw before, {when}")
