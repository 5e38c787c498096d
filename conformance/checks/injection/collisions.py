"""Edits of several claims or devices in one container: of two that say different things, the later one replaces."""

from collections.abc import Mapping
from typing import Any

from conformance.cluster.cdi import ContainerEdits


def collisions(parts: Mapping[str, ContainerEdits]) -> list[str]:
    """What is set to different things by two of the parts: variables, mount targets, paths of device nodes."""
    found = []
    seen: dict[tuple[str, str], tuple[str, Any]] = {}
    for part, edits in parts.items():
        for key, value in _settings(edits):
            owner, said = seen.setdefault(key, (part, value))
            if owner != part and said != value:
                found.append(f"{key[0]} {key[1]}: {said} by {owner}, {value} by {part}")
    return found


def _settings(edits: ContainerEdits) -> list[tuple[tuple[str, str], Any]]:
    """What the edits set, each as (what, its name) and the value that a container ends up with."""
    found: list[tuple[tuple[str, str], Any]] = []
    for entry in edits.env:
        name, _, value = entry.partition("=")
        found.append((("variable", name), value))
    found += [(("mount", str(mount["containerPath"])), dict(mount)) for mount in edits.mounts]
    found += [(("device node", str(node["path"])), dict(node)) for node in edits.device_nodes]
    return found
