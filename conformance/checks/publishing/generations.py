"""Pools whose slices changed together under one generation, found in the history.

A consumer takes the slices of the highest generation together, so that two that belong to different states of a pool
must not have the same one. Two equal slices are none of these: they are one slice that was written twice.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from conformance.history import Event

Object = dict[str, Any]
_Pool = tuple[str, str]


@dataclass
class Mixed:
    """What was found.

    several: whether a pool ever had more than one slice of a generation; texts: the mixtures in words, each once.
    """

    several: bool = False
    texts: list[str] = field(default_factory=list)


def mixed(events: Iterable[Event]) -> Mixed:
    """All moments at which slices of one generation contradict each other. `events`: `api` events about them."""
    found, pools = Mixed(), dict[_Pool, dict[str, Object]]()
    for event in events:
        item = event["object"]
        spec, name = item["spec"], item["metadata"]["name"]
        slices = pools.setdefault((str(spec.get("nodeName", "")), spec["pool"]["name"]), {})
        if event["type"] == "DELETED":
            slices.pop(name, None)
            continue
        slices[name] = spec
        generations = [each["pool"]["generation"] for each in slices.values()]
        found.several = found.several or len(set(generations)) < len(generations)
        found.texts = list(dict.fromkeys([*found.texts, *_contradictions(slices.values())]))
    return found


def _contradictions(specs: Iterable[Object]) -> list[str]:
    texts = []
    for one, other in combinations(specs, 2):
        pool, generation = one["pool"]["name"], one["pool"]["generation"]
        if other["pool"]["generation"] != generation or _names(one) == _names(other):
            continue
        where = f"pool {pool}, generation {generation}"
        counts = sorted({one["pool"]["resourceSliceCount"], other["pool"]["resourceSliceCount"]})
        if len(counts) > 1:
            texts.append(f"{where}: slices that state {counts[0]} and {counts[1]} slices")
        twice = sorted(_names(one) & _names(other))
        if twice:
            texts.append(f"{where}: device {twice[0]} in two slices that have other devices beside it")
    return texts


def _names(spec: Object) -> set[str]:
    return {device["name"] for device in spec.get("devices") or ()}
