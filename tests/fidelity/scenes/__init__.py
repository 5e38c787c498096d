"""Scenes: what happens to pods and claims, driven through the API, and how it looks in the end."""

from collections.abc import Callable, Mapping
from inspect import isfunction
from types import ModuleType

from tests.fidelity.scenes import binding, claims, eviction, extended, garbage, nodes, scheduling, states
from tests.fidelity.scenes.picture import Picture
from tests.fidelity.scenes.scene import Scene

Scenario = Callable[[Scene], Picture]


def _scenes(*modules: ModuleType) -> Mapping[str, Scenario]:
    return {
        name: value
        for module in modules
        for name, value in vars(module).items()
        if isfunction(value) and value.__module__ == module.__name__ and not name.startswith("_")
    }


TOGETHER = _scenes(claims, extended, binding, eviction, scheduling, garbage, states)
"""Scenes by name that may go on at the same time."""
ALONE = _scenes(nodes)
"""Scenes by name that need the cluster for themselves, after the others."""
