"""DeviceTaintRules and their status."""

from conformance.cluster.api import Object
from tests.fidelity import values
from tests.fidelity.conditions import CONDITION, conditions
from tests.fidelity.model import Case, Draw, create, get, patch, update
from tests.fidelity.mutate import Table, mutated
from tests.fidelity.operations import Layout, draw_version, written
from tests.fidelity.registry import family

_SPEC: Object = {
    "deviceSelector": {"driver": "gpu.example.com", "pool": "node-a", "device": "gpu-0"},
    "taint": {"key": "example.com/broken", "value": "yes", "effect": "NoExecute", "timeAdded": "2024-01-02T03:04:05Z"},
}
_TABLE: Table = {
    "spec": [{}],
    "spec.deviceSelector": [{}, {"deviceClassName": "gpu"}],
    "spec.deviceSelector.driver": values.DRIVERS,
    "spec.deviceSelector.pool": values.POOLS,
    "spec.deviceSelector.device": values.DNS_LABELS,
    "spec.taint": [{}, {"key": "k"}],
    "spec.taint.key": values.LABEL_KEYS,
    "spec.taint.value": values.LABEL_VALUES,
    "spec.taint.effect": ("None", "NoExecute", "NoSchedule", "PreferNoSchedule"),
    "spec.taint.timeAdded": values.TIMES,
    "status": [{}, {"conditions": [CONDITION]}],
}


def _same(obj: Object) -> Object:
    return obj


_OLDER: dict[str, Layout] = {"v1beta2": _same}


@family("taint rules", weight=3)
def taint_rules(draw: Draw) -> Case:
    """Rules with all fields."""
    example = {"metadata": {"name": draw.name}, "spec": _SPEC}
    changed, said = mutated(draw, example, _TABLE)
    return written(draw, "devicetaintrules", example, changed, said, older=_OLDER)


@family("taint rule status", weight=2)
def taint_rule_status(draw: Draw) -> Case:
    """Conditions in the status, which nobody but its subresource changes."""
    example: Object = {"metadata": {"name": draw.name}, "spec": _SPEC}
    state: Object = {**example, "status": {"conditions": [CONDITION, {**CONDITION, "type": "Second"}]}}
    changed, said = mutated(draw, state, {**conditions("status.conditions"), "status": [{}], "spec.taint.key": ["a"]})
    name, subresource = draw.name, draw.random.choice(("status", "status", "status", ""))
    if draw.chance(0.3):
        body = {"status": changed.get("status")}
        last = patch("devicetaintrules", name, body, subresource=subresource)
    else:
        last = update("devicetaintrules", name, draw_version(draw, changed), subresource=subresource)
    return Case(f"{subresource} {said}", [create("devicetaintrules", example), last, get("devicetaintrules", name)])
