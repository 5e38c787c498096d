"""Writes of ResourceSlices that changed nothing, found in the history."""

import json
from bisect import bisect
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from conformance.history import Event


@dataclass(frozen=True)
class Rewrite:
    """A needless write: its place in the history, the pool, and what is known of it in words."""

    seq: int
    pool: str
    text: str


@dataclass
class _Round:
    """All writes of one pool under one generation; a change of one device may write every slice anew."""

    seq: int
    writes: int = 0
    changed: bool = False


@dataclass
class _Watch:
    specs: dict[str, dict[str, Any]] = field(default_factory=dict)
    rounds: dict[tuple[str, int], _Round] = field(default_factory=dict)
    rewrites: list[Rewrite] = field(default_factory=list)

    def see(self, seq: int, kind: str, name: str, spec: dict[str, Any]) -> None:
        pool = spec["pool"]
        this = self.rounds.setdefault((pool["name"], pool["generation"]), _Round(seq))
        old = self.specs.get(name)
        if kind == "DELETED":
            this.changed = True
            self.specs.pop(name, None)
            return
        if old == spec:
            self.rewrites.append(Rewrite(seq, pool["name"], f"slice {name}, spec unchanged"))
        else:
            this.writes += 1
            this.changed = this.changed or old is None or _content(old) != _content(spec)
        self.specs[name] = spec


def _content(spec: dict[str, Any]) -> str:
    pool = {key: value for key, value in spec["pool"].items() if key != "generation"}
    return json.dumps({**spec, "pool": pool}, sort_keys=True)


def rewrites(events: Iterable[Event]) -> list[Rewrite]:
    """Each write that left its slice as it was, and each new generation in which no slice of the pool changed.

    `events` are the `api` events about the slices of one driver, in order.
    """
    watch = _Watch()
    for event in events:
        item = event["object"]
        watch.see(event.seq, event["type"], item["metadata"]["name"], item["spec"])
    idle = [
        Rewrite(this.seq, pool, f"pool {pool}, generation {generation}: no slice differs")
        for (pool, generation), this in watch.rounds.items()
        if this.writes and not this.changed
    ]
    return sorted(watch.rewrites + idle, key=lambda rewrite: rewrite.seq)


def after_starts(found: Iterable[Rewrite], starts: Sequence[int]) -> list[str]:
    """The rewrites in words, without the first of each pool after each start of the driver.

    `starts`: their places in the history. A driver that starts may write before it has seen what is there.
    """
    forgiven: set[tuple[str, int]] = set()
    needless = []
    for rewrite in found:
        key = (rewrite.pool, bisect(starts, rewrite.seq))
        if key in forgiven:
            needless.append(rewrite.text)
        forgiven.add(key)
    return needless
