"""Writes of ResourceSlices that changed nothing, found in the history."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from conformance.history import Event


@dataclass
class _Round:
    """All writes of one pool under one generation; a change of one device may write every slice anew."""

    pool: str
    generation: int
    writes: int = 0
    changed: bool = False


@dataclass
class _Watch:
    specs: dict[str, dict[str, Any]] = field(default_factory=dict)
    rounds: dict[tuple[str, int], _Round] = field(default_factory=dict)
    rewrites: list[str] = field(default_factory=list)

    def see(self, kind: str, name: str, spec: dict[str, Any]) -> None:
        pool = spec["pool"]
        key = (pool["name"], pool["generation"])
        this = self.rounds.setdefault(key, _Round(*key))
        old = self.specs.get(name)
        if kind == "DELETED":
            this.changed = True
            self.specs.pop(name, None)
            return
        if old == spec:
            self.rewrites.append(f"slice {name}, spec unchanged")
        else:
            this.writes += 1
            this.changed = this.changed or old is None or _content(old) != _content(spec)
        self.specs[name] = spec


def _content(spec: dict[str, Any]) -> str:
    pool = {key: value for key, value in spec["pool"].items() if key != "generation"}
    return json.dumps({**spec, "pool": pool}, sort_keys=True)


def rewrites(events: Iterable[Event]) -> list[str]:
    """Each write that left its slice as it was, and each new generation in which no slice of the pool changed.

    `events` are the `api` events about the slices of one driver, in order.
    """
    watch = _Watch()
    for event in events:
        item = event["object"]
        watch.see(event["type"], item["metadata"]["name"], item["spec"])
    idle = [r for r in watch.rounds.values() if r.writes and not r.changed]
    return watch.rewrites + [f"pool {r.pool}, generation {r.generation}: no slice differs" for r in idle]
