"""CDI kinds and files of different drivers do not get into each other's way."""

import re

from conformance.check import check
from conformance.cluster import Cluster, Node
from conformance.expect import Expect
from conformance.verdict import NotApplicable


@check(
    id="injection.own_names",
    covers=("CDI-07",),
    needs=("injection.specs_resolve",),
    claims=1,
)
def test_own_names(cluster: Cluster, node: Node, expect: Expect) -> None:
    """The vendor of the CDI devices is a domain, and the names of spec files tell whose they are."""
    answer = cluster.apply("one_pod.yaml").pod("user").wait_prepared("devices")
    devices = node.cdi.devices()
    specs = {device.spec.path: device.spec for cdi_id in answer.cdi_ids if (device := devices.get(cdi_id))}
    if not specs:
        raise NotApplicable("the driver gives no CDI device for a valid claim")
    vendors = {spec.kind.partition("/")[0] for spec in specs.values()}
    bare = sorted(vendor for vendor in vendors if "." not in vendor)
    expect("CDI-07").equal(bare, [], "the vendor in a CDI kind is a domain")
    driver = cluster.target.driver_name
    anonymous = [path.name for path, spec in specs.items() if not tells_whose(path.name, driver, spec.kind)]
    expect("CDI-07").equal(anonymous, [], "a spec file is called after the driver or its CDI vendor")


def tells_whose(file: str, driver: str, kind: str) -> bool:
    """Whether a file is called after a driver or a CDI vendor; signs other than letters and digits do not count."""
    return any(_flat(owner) in _flat(file) for owner in (driver, kind.partition("/")[0]))


def _flat(name: str) -> str:
    return re.sub("[^a-z0-9]+", "", name.lower())
