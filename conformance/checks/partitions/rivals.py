"""Two devices of which only one can be used at a time, as there are not enough counters for both."""

from collections.abc import Mapping
from itertools import permutations
from typing import Any

from conformance.checks.offered import Offer, each_alone, offers
from conformance.checks.publishing.pool import pools_of
from conformance.cluster import Cluster
from conformance.cluster.embedded.scheduler import quantity
from conformance.verdict import NotApplicable

Object = dict[str, Any]
Counters = Mapping[tuple[str, str, str], str]
"""Amounts of counters, each by names of the pool, the counter set and the counter."""


def rivals(cluster: Cluster) -> tuple[Offer, Offer]:
    """How to ask for each of two such devices, the one that uses less first. Raises NotApplicable."""
    known = {
        (pool.name, entry["name"], name): str(counter["value"])
        for pool in pools_of(cluster.slices())
        for item in pool.slices
        for entry in item["spec"].get("sharedCounters") or ()
        for name, counter in entry["counters"].items()
    }
    found = offers(cluster, lambda device: device.get("consumesCounters"), "partitionable")
    singles = [single for offer in found for single in each_alone(cluster, offer)]
    pairs = [pair for pair in permutations(singles, 2) if _too_much(pair[0], pair[1], known)]
    if not pairs:
        raise NotApplicable("no two devices that claims can ask for use more of a counter than there is")
    return min(pairs, key=lambda pair: sum(map(quantity.parse, _uses(pair[0]).values())))


def uses_of(cluster: Cluster, offer: Offer) -> Counters | None:
    """The counters that the device of an offer uses as published now; None when it is not published."""
    ((pool_name, wanted),) = offer.rows
    devices = [device for pool in pools_of(cluster.slices()) if pool.name == pool_name for device in pool.devices]
    device = next((device for device in devices if device["name"] == wanted["name"]), None)
    return None if device is None else _uses(Offer({}, ((pool_name, device),)))


def _uses(offer: Offer) -> Counters:
    ((pool, device),) = offer.rows
    return {
        (pool, use["counterSet"], name): str(counter["value"])
        for use in device.get("consumesCounters") or ()
        for name, counter in use["counters"].items()
    }


def _too_much(one: Offer, other: Offer, known: Counters) -> bool:
    first, second = _uses(one), _uses(other)
    return any(
        quantity.parse(first[key]) + quantity.parse(second[key]) > quantity.parse(known[key])
        for key in first.keys() & second.keys() & known.keys()
    )
