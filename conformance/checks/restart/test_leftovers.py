"""What nobody uses any more is given back when the driver starts."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from conformance.check import Tier, check
from conformance.checks.restart.orphan import delete_claim, prepared_past_the_kubelet
from conformance.checks.unpreparing.specs import spec_files
from conformance.cluster import Cluster, Installation, Node, seen_within
from conformance.expect import Expect
from conformance.verdict import NotApplicable

TIDIED = 10.0  # seconds after it is ready


@check(
    id="restart.leftovers",
    covers=("CDI-09", "UNP-13"),
    needs=("restart.recovers",),
    tier=Tier.DISRUPT_DRIVER,
    claims=1,
)
def test_leftovers(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """A driver that starts takes back what claims that are gone had, and CDI specs of claims that it does not know."""
    applied = cluster.apply("left_prepared.yaml")
    claim = prepared_past_the_kubelet(node, applied)
    with specs_of_a_stranger(spec_files(cluster, node, claim.uid), claim.uid) as strange:
        delete_claim(applied, claim)
        driver.restart()
        seen_within(lambda: not any(map(Path.exists, strange)) and not node.cdi.devices_for(claim.uid), TIDIED)
        left = [path.name for path in strange if path.exists()]
        expect("CDI-09").equal(left, [], "CDI specs of claims that the driver does not know are removed at its start")
        kept = node.cdi.devices_for(claim.uid)
        expect("UNP-13").equal(kept, [], "a prepared claim that is gone is unprepared at its start")


@contextmanager
def specs_of_a_stranger(files: set[Path], uid: str) -> Iterator[list[Path]]:
    """Inside the block there are copies of a claim's specs, for another UID. Raises NotApplicable for other names."""
    stranger = str(uuid4())
    copies = {path: path.with_name(path.name.replace(uid, stranger)) for path in files}
    if files & set(copies.values()):
        raise NotApplicable("the names of CDI specs do not hold the claim's UID, so that none can be made up")
    try:
        for path, made in copies.items():
            draft = made.with_name(f".{made.name}.draft")
            draft.write_text(path.read_text(encoding="utf-8").replace(uid, stranger), encoding="utf-8")
            draft.rename(made)
        yield sorted(copies.values())
    finally:
        for made in copies.values():
            made.unlink(missing_ok=True)
