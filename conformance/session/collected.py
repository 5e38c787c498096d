"""What was selected to run: from workers to the controller it travels as a file in the report's folder."""

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from conformance.check import Check, Tier
from conformance.requirement import Level, Requirement
from conformance.session.plan import planned

FOLDER = ".workers"


@dataclass(frozen=True)
class Selected:
    """One selected item that is a check."""

    node_id: str
    check: Check


@dataclass
class Collected:
    """Selected checks in the order to run them.

    selection: why this is not the whole suite, "" when it is; usage: what is wrong with the command line; pid: of the
    process that collected.
    """

    selected: Sequence[Selected] = ()
    selection: str = ""
    usage: str = ""
    pid: int = field(default_factory=os.getpid)

    def ids(self) -> set[str]:
        """Ids of the selected checks."""
        return {row.check.id for row in self.selected}

    def lanes(self, number: int) -> dict[str, str]:
        """Which checks share a worker, of so many: the lane by node id, in the order in which they run there."""
        by_id = planned([row.check for row in self.selected], number)
        place = {id: number for number, id in enumerate(by_id)}
        rows = sorted(self.selected, key=lambda row: place[row.check.id])
        return {row.node_id: f"lane {by_id[row.check.id]}" for row in rows}

    def awaited(self, node_id: str) -> set[str]:
        """Items before this one, by node id, whose verdicts it waits for: what it needs, at the end everything."""
        ids = [row.node_id for row in self.selected]
        before, own = self.selected[: ids.index(node_id)], self.selected[ids.index(node_id)].check
        return {row.node_id for row in before if row.check.id in own.needs or (own.at_end and not row.check.at_end)}

    def save(self, folder: Path, worker: str) -> None:
        """Leave it for the controller."""
        path = folder / FOLDER / f"{worker}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(".new")
        draft.write_text(json.dumps(asdict(self)), encoding="utf-8")
        draft.replace(path)

    @classmethod
    def load(cls, folder: Path, worker: str) -> "Collected":
        """What a worker has left. Raises FileNotFoundError."""
        raw = json.loads((folder / FOLDER / f"{worker}.json").read_text(encoding="utf-8"))
        selected = [Selected(row["node_id"], _check(row["check"])) for row in raw["selected"]]
        return cls(selected, raw["selection"], raw["usage"], raw["pid"])


def _check(raw: dict[str, Any]) -> Check:
    lists: Iterable[str] = ("covers", "needs", "features", "hooks")
    own = tuple(Requirement(**{**row, "level": Level(row["level"])}) for row in raw["own"])
    return Check(**{**raw, **{name: tuple(raw[name]) for name in lists}, "tier": Tier(raw["tier"]), "own": own})
