"""Whoever takes one node over must not be able to publish devices of others."""

from conformance.check import check
from conformance.checks.security.guard import unguarded
from conformance.cluster.installed import objects_in_files
from conformance.expect import Expect
from conformance.target import Target
from conformance.verdict import NotApplicable


@check(id="security.other_nodes", covers=("SEC-02",))
def test_other_nodes(target: Target, expect: Expect) -> None:
    """The driver is installed with a policy that looks at its writes of slices, in every version of the API."""
    if target.driver.scope != "node-local":
        raise NotApplicable(f"the driver file says that the devices are {target.driver.scope}")
    missed = unguarded(objects_in_files(target))
    expect("SEC-02").equal(missed, [], "a policy looks at each write of a slice by the driver")
