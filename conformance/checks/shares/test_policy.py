"""How much of a device a claim may ask for: policies that the API server and the scheduler can make sense of."""

from typing import Any

from conformance.check import check
from conformance.checks.offered import need_feature
from conformance.checks.publishing.pool import pools_of
from conformance.checks.publishing.together import settled_slices
from conformance.cluster import Cluster
from conformance.cluster.embedded.scheduler import quantity
from conformance.expect import Expect
from conformance.history import Event

Object = dict[str, Any]


@check(
    id="shares.policy",
    covers=("RS-26",),
    needs=("registration.registers",),
    profile="consumable-capacity",
    features=("consumable-capacity",),
)
def test_policy(cluster: Cluster, expect: Expect) -> None:
    """Capacities have policies only on devices for several claims, and each default is one that may be asked for."""
    need_feature(cluster, "consumable-capacity")
    refused = sorted({str(event["message"]) for event in cluster.history.events("request", _refused)})
    expect("RS-26").equal(refused, [], "the API server finds every policy of a capacity valid")
    for pool in pools_of(settled_slices(cluster)):
        alone = [device["name"] for device in pool.devices if _has_policy(device) and not _for_several(device)]
        expect("RS-26").equal(alone, [], f"only devices for several claims of pool {pool.name} have policies")
        strange = [text for device in pool.devices for text in strange_defaults(device)]
        expect("RS-26").equal(strange, [], f"defaults of policies of pool {pool.name} are valid under them")


def strange_defaults(device: Object) -> list[str]:
    """Capacities whose default is not one of the valid values, or out of the valid range."""
    found = []
    for name, policy in _policies(device).items():
        default, valid = policy.get("default"), policy.get("validRange") or {}
        values = [quantity.parse(str(value)) for value in policy.get("validValues") or ()]
        if default is None:
            good = not values and not valid
        else:
            amount = quantity.parse(str(default))
            good = not values or amount in values
            good &= "min" not in valid or amount >= quantity.parse(str(valid["min"]))
            good &= "max" not in valid or amount <= quantity.parse(str(valid["max"]))
        if not good:
            found.append(f"{device['name']}: {name}: default {default}")
    return found


def _policies(device: Object) -> dict[str, Object]:
    rows = (device.get("capacity") or {}).items()
    return {name: capacity["requestPolicy"] for name, capacity in rows if capacity.get("requestPolicy")}


def _has_policy(device: Object) -> bool:
    return bool(_policies(device))


def _for_several(device: Object) -> bool:
    return bool(device.get("allowMultipleAllocations"))


def _refused(event: Event) -> bool:
    writes = event["verb"] in ("create", "update", "patch")
    return writes and event["resource"] == "resourceslices" and "requestPolicy" in str(event["message"])
