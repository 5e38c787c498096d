"""Whoever takes a driver's pod over may do what the driver may."""

from conformance.check import check
from conformance.checks.security.rules import too_much
from conformance.cluster.installed import objects_in_files
from conformance.expect import Expect
from conformance.target import Target


@check(id="security.roles", covers=("SEC-01",))
def test_roles(target: Target, expect: Expect) -> None:
    """No role in the driver's manifests lets it do everything, read secrets, get into pods or give itself rights."""
    excesses = too_much(objects_in_files(target))
    expect("SEC-01").equal(excesses, [], "the driver may do what it needs and no more")
