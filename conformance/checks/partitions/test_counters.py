"""Counters that devices have in common: the scheduler passes over a pool in which they do not add up."""

from collections import Counter
from typing import Any

from conformance.check import check
from conformance.checks.offered import need_feature
from conformance.checks.publishing.pool import Pool, pools_of
from conformance.checks.publishing.together import settled_slices
from conformance.cluster import Cluster
from conformance.expect import Expect
from conformance.history import Event

TOGETHER = "only one of `sharedCounters` or `devices` is allowed"


@check(
    id="partitions.counters",
    covers=("RS-17", "RS-18"),
    needs=("registration.registers",),
    profile="partitionable",
    features=("partitionable",),
)
def test_counters(cluster: Cluster, expect: Expect) -> None:
    """Counter sets are in slices of their own, each once in its pool, and every device uses counters that are there."""
    need_feature(cluster, "partitionable")
    published = settled_slices(cluster)
    mixed = [item["metadata"]["name"] for item in published if _has_both(item["spec"])]
    mixed += sorted({str(event["message"]) for event in cluster.history.events("request", _refused_together)})
    expect("RS-17").equal(mixed, [], "no slice has both devices and shared counters")
    for pool in pools_of(published):
        names = Counter(entry["name"] for entry in counter_sets(pool))
        twice = sorted(name for name, times in names.items() if times > 1)
        expect("RS-18").equal(twice, [], f"each counter set is once in pool {pool.name}")
        expect("RS-18").equal(unknown_counters(pool), [], f"counters that devices of pool {pool.name} use are there")


def counter_sets(pool: Pool) -> list[dict[str, Any]]:
    """The counter sets of all slices of a pool."""
    return [entry for item in pool.slices for entry in item["spec"].get("sharedCounters") or ()]


def unknown_counters(pool: Pool) -> list[str]:
    """Counters that devices use and the pool lacks, as device: set/counter."""
    known = {(entry["name"], name) for entry in counter_sets(pool) for name in entry["counters"]}
    return [
        f"{device['name']}: {use['counterSet']}/{name}"
        for device in pool.devices
        for use in device.get("consumesCounters") or ()
        for name in use["counters"]
        if (use["counterSet"], name) not in known
    ]


def _has_both(spec: dict[str, object]) -> bool:
    return bool(spec.get("devices")) and bool(spec.get("sharedCounters"))


def _refused_together(event: Event) -> bool:
    return event["resource"] == "resourceslices" and TOGETHER in str(event["message"])
