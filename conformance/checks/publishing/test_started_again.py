"""A driver that starts finds slices on its node: its own, and those of other drivers."""

from conformance.check import Tier, check
from conformance.checks.hardware import published
from conformance.checks.publishing.identity import renamed
from conformance.checks.publishing.planted import plant_of_stranger
from conformance.cluster import Cluster, Installation, Node, seen_within
from conformance.expect import Expect

_WRITTEN = 1.0  # seconds for a driver that is ready to have written what it publishes


@check(
    id="publishing.started_again",
    covers=("RS-09", "RS-15"),
    needs=("publishing.pool_complete", "registration.after_kill"),
    tier=Tier.DISRUPT_DRIVER,
)
def test_started_again(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """At its start the driver leaves slices of other drivers alone, and its devices have the names that they had."""
    strange = plant_of_stranger(cluster, node)
    before = published(cluster)

    def stranger() -> object:
        """The other driver's slice as it is now: UID, and how often its content was changed."""
        listed = cluster.api.list("resourceslices", field_selector=f"metadata.name={strange['metadata']['name']}")
        return [(item["metadata"]["uid"], item["metadata"]["generation"]) for item in listed["items"]]

    planted = stranger()
    driver.restart()
    seen_within(lambda: stranger() != planted or renamed(before, published(cluster)), _WRITTEN)
    other = renamed(before, published(cluster))
    expect("RS-09").equal(other, {}, "a name stands for the same device as before, by what attributes tell of it")
    expect("RS-15").equal(stranger(), planted, "a slice of another driver on the node is as it was")
