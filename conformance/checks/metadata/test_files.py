"""Programs in containers can read what devices they have."""

from pathlib import Path

from conformance.check import check
from conformance.checks.again import until_good
from conformance.checks.metadata.files import faults_of, paths_of
from conformance.cluster import Cluster, Installation, Node
from conformance.expect import Expect
from conformance.verdict import NotApplicable


@check(
    id="metadata.files",
    covers=("MET-01", "UNP-07"),
    needs=("injection.specs_resolve", "unpreparing.cleans_up"),
    profile="metadata",
    features=("metadata",),
    claims=1,
)
def test_files(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """A container finds a file of the current version for each request of its claim; Unprepare removes the files."""
    pod = cluster.apply("one_pod.yaml").pod("user").wait_running()
    claim, name = pod.claim("devices"), driver.target.driver_name
    devices, answer = claim.devices(name), pod.wait_prepared("devices")
    sources = {mount["containerPath"]: mount["hostPath"] for mount in node.cdi.edits(answer.cdi_ids).mounts}
    wanted = paths_of("devices", devices)
    missing = sorted(path for path in wanted.values() if path not in sources)
    expect("MET-01").equal(missing, [], "a file is mounted for each request, where the contract says")
    files = {request: node.host_path(sources[path]) for request, path in wanted.items() if path in sources}
    if not files:
        raise NotApplicable("the driver mounts no file with device metadata")
    faults = [text for request, file in files.items() for text in faults_of(file.read_text(), claim, request, devices)]
    expect("MET-01").equal(faults, [], "the file says what the claim has, in the current version")
    until_good(lambda: node.unprepare(claim.ref))
    left = sorted(str(file) for file in files.values() if Path(file).exists())
    expect("UNP-07").equal(left, [], "Unprepare removes the files of the claim")
