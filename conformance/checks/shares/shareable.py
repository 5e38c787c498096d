"""Devices for several claims at once, and how much of them a claim may ask for."""

from decimal import Decimal
from typing import Any

from conformance.checks.offered import Offer, each_alone, offers
from conformance.checks.publishing.pool import pools_of
from conformance.cluster import Claim, Cluster
from conformance.cluster.embedded.scheduler import quantity
from conformance.verdict import NotApplicable

Object = dict[str, Any]


def shareable(cluster: Cluster) -> list[Offer]:
    """How to ask for each device that several claims may use, at half of each capacity. Raises NotApplicable."""
    found = offers(cluster, lambda device: device.get("allowMultipleAllocations"), "consumable-capacity")
    singles = [single for offer in found for single in each_alone(cluster, offer)]
    halves = [half for single in singles if (half := half_of(single))]
    if not halves:
        raise NotApplicable("no device for several claims can be shared by two in equal parts")
    return halves


def amounts(device: Object) -> dict[str, str]:
    """Half of each capacity of a device, as a quantity; what cannot be halved is left out."""
    found = {}
    for name, capacity in (device.get("capacity") or {}).items():
        half = quantity.parse(str(capacity["value"])) / 2
        if half == half.to_integral_value():
            found[name] = quantity.render(half, like=str(capacity["value"]))
    return found


def shares_of(claim: Claim, driver: str) -> dict[tuple[str, str], Object]:
    """Results of a claim's allocation with a share, by pool and device."""
    results = claim.get()["status"]["allocation"]["devices"]["results"]
    return {(row["pool"], row["device"]): row for row in results if row["driver"] == driver and row.get("shareID")}


def published_capacity(cluster: Cluster, offer: Offer) -> dict[str, Any]:
    """The capacities with their policies of an offer's device as published now; {} when it is not published."""
    ((pool_name, wanted),) = offer.rows
    devices = [device for pool in pools_of(cluster.slices()) if pool.name == pool_name for device in pool.devices]
    return next((device.get("capacity") or {} for device in devices if device["name"] == wanted["name"]), {})


def half_of(single: Offer) -> Offer | None:
    """The offer at half of each capacity; None where the policies do not let two have that."""
    ((_, device),) = single.rows
    capacities = device.get("capacity") or {}
    wanted = amounts(device)
    if wanted.keys() != capacities.keys():
        return None
    policies = {name: capacity.get("requestPolicy") or {} for name, capacity in capacities.items()}
    if not all(_allowed(quantity.parse(wanted[name]), policy) for name, policy in policies.items()):
        return None
    return single.asking(capacity={"requests": wanted}) if wanted else single


def _allowed(amount: Decimal, policy: Object) -> bool:
    """Whether a claim that asks for the amount gets just that."""
    values, valid = policy.get("validValues"), policy.get("validRange")
    if values:
        return any(quantity.parse(str(value)) == amount for value in values)
    if not valid:
        return True
    low, most = quantity.parse(str(valid["min"])), valid.get("max")
    if amount < low or (most is not None and amount > quantity.parse(str(most))):
        return False
    return valid.get("step") is None or (amount - low) % quantity.parse(str(valid["step"])) == 0
