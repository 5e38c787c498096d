"""DeviceTaintRules: taints that an administrator puts on devices, seen as if the slices had them.

Source: dynamic-resource-allocation/resourceslice/tracker.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from conformance.cluster.embedded.scheduler.model import Json


def with_rules(slices: Sequence[Json], rules: Iterable[Json]) -> list[Json]:
    """The slices with the taints of all rules that select their devices; those that no rule selects are not copied."""
    specs = [rule["spec"] for rule in rules]
    return [_tainted(slice_, specs) for slice_ in slices] if specs else list(slices)


def _tainted(slice_: Json, specs: Sequence[Json]) -> Json:
    matching = [spec for spec in specs if _selects(spec.get("deviceSelector"), slice_)]
    if not matching:
        return slice_
    devices = [_with_taints(device, matching) for device in slice_["spec"].get("devices") or ()]
    return {**slice_, "spec": {**slice_["spec"], "devices": devices}}


def _selects(selector: Json | None, slice_: Json) -> bool:
    if selector is None:
        # A rule without a selector taints nothing.
        return False
    spec = slice_["spec"]
    return (selector.get("driver") in (None, spec["driver"])) and (selector.get("pool") in (None, spec["pool"]["name"]))


def _with_taints(device: Json, specs: Sequence[Json]) -> dict[str, Any]:
    added = [spec["taint"] for spec in specs if spec["deviceSelector"].get("device") in (None, device["name"])]
    return {**device, "taints": [*(device.get("taints") or ()), *added]} if added else dict(device)
