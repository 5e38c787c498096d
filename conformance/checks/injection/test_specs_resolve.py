"""The CDI ids of an answer lead to specs that the runtime can use."""

from collections.abc import Collection, Iterable
from pathlib import Path

from conformance.check import check
from conformance.checks.injection.owned import faults
from conformance.cluster import Answer, Cluster, Node, Shared
from conformance.cluster.cdi import CdiError, inject, split_device
from conformance.expect import Expect


@check(
    id="injection.specs_resolve",
    covers=("CDI-01", "CDI-02", "CDI-04", "PREP-08", "PREP-09", "RS-13", "UNP-10"),
    needs=("preparation.one_claim",),
    claims=1,
)
def test_specs_resolve(cluster: Cluster, node: Node, expect: Expect) -> None:
    """When Prepare has succeeded, every CDI id of the answer is in a valid spec in a CDI folder, and the pod runs."""
    before = {device for answer in cluster.answers("NodePrepareResources") for device in named(answer)}
    pod = cluster.apply("one_pod.yaml").pod("user")
    answer = pod.wait_prepared("devices")
    allocated = {(row.pool, row.device) for row in pod.claim("devices").devices(cluster.target.driver_name)}
    names = ", ".join(sorted(device for _, device in allocated))
    again = answer.error if allocated <= before else ""
    expect("UNP-10").equal(
        again, "", f"{names}, which an earlier claim has given back, can be prepared for the next one"
    )
    expect("RS-13").equal(answer.error, "", f"what is published as {names} can be prepared")
    malformed = [error for error in map(why_unqualified, answer.cdi_ids) if error]
    expect("PREP-09").equal(malformed, [], "CDI ids are fully qualified: vendor/class=name")
    errors = faults(cluster, node, answer)
    conflicts = {name: error for name, error in errors.items() if "conflict" in error}
    expect("CDI-04").equal(conflicts, {}, "no device is defined twice")
    expect("CDI-02").equal(errors, {}, "every spec file is valid")
    lost = node.cdi.unresolved(answer.cdi_ids)
    expect("CDI-01").equal(misplaced(node.cdi.dirs, lost), [], "specs are *.json and *.yaml right in a CDI folder")
    expect("PREP-08").equal(lost, [], "every CDI id is in a spec when Prepare returns")
    unfit = why_not_injected(cluster, node, answer.cdi_ids)
    expect("PREP-09").equal(unfit, "", "the runtime can inject every id: device nodes that it looks for are there")
    pod.wait_running()
    left_out = sorted(set(answer.cdi_ids) - set(node.container(pod.uid, "main").cdi_ids))
    expect("CDI-01").equal(left_out, [], "the runtime injected every id")


def named(answer: Answer) -> set[tuple[str, str]]:
    """Pools and names of the devices of a good answer; none of a bad one."""
    return set() if answer.error else {(device.pool_name, device.device_name) for device in answer.devices}


def misplaced(folders: Collection[Path], cdi_ids: Iterable[str]) -> list[str]:
    """Files below the CDI folders, where no runtime looks, with the names of devices that are in no spec."""
    names = [cdi_id.rpartition("=")[2] for cdi_id in cdi_ids]
    files = [path for folder in folders for path in sorted(folder.rglob("*")) if path.is_file()] if names else []
    astray = [path for path in files if path.parent not in folders or path.suffix not in (".json", ".yaml")]
    return [str(path) for path in astray if any(name in path.read_text(errors="replace") for name in names)]


def why_unqualified(cdi_id: str) -> str:
    """Why the runtime would not take it for the name of a device; "" for a good one."""
    try:
        split_device(cdi_id)
    except CdiError as error:
        return str(error)
    return ""


def why_not_injected(cluster: Cluster, node: Node, cdi_ids: Iterable[str]) -> str:
    """Why the runtime would not make a container with these devices, such as a node that the host lacks; else "".

    Not asked on a cluster of others, whose nodes' /dev is not seen.
    """
    if isinstance(cluster.backend, Shared):
        return ""
    try:
        inject(node.cdi, cdi_ids, node.host_path("/"), made_up=cluster.target.device_nodes)
    except CdiError as error:
        return str(error)
    return ""
