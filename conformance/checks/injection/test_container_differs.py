"""A pod runs, and its container sees something of the device."""

from conformance.check import check
from conformance.checks.life import Life
from conformance.checks.start import last, refusals
from conformance.cluster import ContainerView
from conformance.expect import Expect
from conformance.verdict import Inconclusive


@check(
    id="injection.container_differs",
    covers=("PREP-08", "CDI-11"),
    needs=("preparation.lets_pod_start",),
    profile="kep-5970",
    claims=1,
)
def test_container_differs(life: Life, expect: Expect) -> None:
    """A pod with a claim runs, and the container that uses the claim sees what the one beside it does not."""
    pod = life.first()
    runs = life.runs()
    refused = () if runs else refusals(pod)
    if not runs and not refused:
        raise Inconclusive(f"the pod does not run: {pod.trouble()}")
    expect("PREP-08").equal(last(refused), "", "the runtime finds the CDI devices that the driver has prepared")
    more = differences(pod.container("with"), pod.container("without"))
    seen = {kind: names for kind, names in more.items() if names} or "nothing that the other one does not see"
    expect("CDI-11").true(more["variables"], "the container with the claim has variables that no other one has", seen)


def differences(one: ContainerView, other: ContainerView) -> dict[str, list[str]]:
    """Names of variables, paths of device nodes and of mounts that are only in the first; never their values."""
    mine, theirs = one.seen(), other.seen()
    return {
        "variables": sorted(name for name, value in mine["env"].items() if theirs["env"].get(name) != value),
        "devices": sorted(set(mine["devices"]) - set(theirs["devices"])),
        "mounts": sorted(set(mine["mounts"]) - set(theirs["mounts"])),
    }
