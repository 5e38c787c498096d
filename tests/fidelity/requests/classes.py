"""DeviceClasses: selectors, configuration, extended resource names."""

from typing import Any

from conformance.cluster.api import Object
from tests.fidelity import values
from tests.fidelity.model import Case, Draw
from tests.fidelity.mutate import Table, many, mutated
from tests.fidelity.operations import Layout, written
from tests.fidelity.registry import family

_SELECTOR = {"cel": {"expression": "device.driver == 'gpu.example.com'"}}
_OPAQUE = {"opaque": {"driver": "gpu.example.com", "parameters": {"apiVersion": "a/v1", "kind": "Config", "size": 1}}}
_SPEC: Object = {
    "selectors": [_SELECTOR, {"cel": {"expression": 'device.attributes["gpu.example.com"].model == "A100"'}}],
    "config": [_OPAQUE],
    "extendedResourceName": "example.com/gpu",
}
_NAMES: tuple[Any, ...] = (
    "example.com/gpu",
    "gpu",
    "kubernetes.io/gpu",
    "a.kubernetes.io/gpu",
    "requests.example.com/gpu",
    "example.com/",
    "/gpu",
    "Example.com/gpu",
    "example.com/a b",
    "example.com/a/b",
    "example.com/" + "g" * 63,
    "example.com/" + "g" * 64,
    "e" * 240 + ".com/gpu",
    "e" * 60 + ".com/gpu",
    "deviceclass.resource.kubernetes.io/gpu",
    "",
)
_TABLE: Table = {
    "spec": [{}],
    "spec.selectors": [[], many(32, lambda _: _SELECTOR), many(33, lambda _: _SELECTOR), [{}]],
    "spec.selectors.*": [{}, {"cel": {}}, {"cel": {"expression": ""}}],
    "spec.selectors.*.cel.expression": [
        "true",
        "1",
        "device",
        "device.driver ==",
        "nothing.here",
        "x" * 10241,
        '"' + "x" * 10000 + '" == ""',
    ],
    "spec.config": [[], many(32, lambda _: _OPAQUE), many(33, lambda _: _OPAQUE), [{}]],
    "spec.config.*": [{}, {"opaque": {}}],
    "spec.config.*.opaque.driver": values.DRIVERS,
    "spec.config.*.opaque.parameters": [
        {},
        {"a": {"b": [1, "x", None, 1.5, True]}},
        [],
        "text",
        1,
        {"a": "x" * 10232},
        {"a": "x" * 10234},
        {"a": "x" * 10235},
    ],
    "spec.extendedResourceName": _NAMES,
    "spec.suitableNodes": [{}],
}


def _same(obj: Object) -> Object:
    return obj


_OLDER: dict[str, Layout] = {"v1beta1": _same, "v1beta2": _same}


@family("classes", weight=4)
def classes(draw: Draw) -> Case:
    """Classes with all fields."""
    example = {"metadata": {"name": draw.name}, "spec": _SPEC}
    changed, said = mutated(draw, example, _TABLE)
    return written(draw, "deviceclasses", example, changed, said, older=_OLDER)
