"""`--resume`: a run that was interrupted is gone on with, where the same is judged under the same conditions."""

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from conformance.history import HISTORY_FILE, History
from conformance.identity import suite_digest
from conformance.parts import RESUMED, earlier_parts
from conformance.report.derive import HistoryError, derive_parts, rows, rows_of
from conformance.session import journal
from conformance.session.collected import FOLDER
from conformance.session.merge import merged, refuse_damaged, write
from conformance.session.options import Settings
from conformance.target import Target
from conformance.waivers.model import Waivers

_FILE = "kept.json"


@dataclass(frozen=True)
class Kept:
    """What a part of a run has taken over from those before it.

    results: payloads of checks that have a verdict, by node id; broken: findings of checks that were interrupted after
    they had seen a MUST broken, by node id; events: how many the history has up to here.
    """

    folder: Path
    results: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    broken: Mapping[str, Sequence[dict[str, Any]]] = field(default_factory=dict)
    events: int = 0

    def hand_over(self) -> None:
        """Leave it for workers."""
        file = self.folder / FOLDER / _FILE
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(self.as_json()), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> "Kept":
        """What the controller has left for its workers."""
        return cls(folder, **json.loads((folder / FOLDER / _FILE).read_text(encoding="utf-8")))

    def as_json(self) -> dict[str, Any]:
        """All of it but the folder."""
        return {"results": self.results, "broken": self.broken, "events": self.events}

    @property
    def facts(self) -> dict[str, Any]:
        """What was known about cluster and driver."""
        known: dict[str, Any] = {}
        for payload in self.results.values():
            known |= payload["facts"]
        return known

    @property
    def features(self) -> set[str]:
        """Features that the driver has shown."""
        return {name for payload in self.results.values() for name in payload["facts"].get("features_seen", ())}

    @cached_property
    def parts(self) -> list[History]:
        """What those before have recorded, as far as it can be judged."""
        return earlier_parts(row for row in rows(self.folder / HISTORY_FILE) if row["seq"] < self.events)


def described(settings: Settings, target: Target, waivers: Waivers | None) -> dict[str, str]:
    """All that must be the same for two parts to be one run, by the words for it."""
    options = {name: value for name, value in settings.facts().items() if name not in ("cluster", "seed")}
    return {
        "driver": f"{target.driver_name} ({settings.driver})",
        "driver file": _digest(target.path),
        "program of the driver": " ".join(_programs(target)),
        "suite": suite_digest(),
        "cluster": f"{settings.cluster} {_server(settings)}".strip(),
        "options": json.dumps([options, settings.same_cluster], sort_keys=True),
        "seed": str(settings.seed),
        "waivers": waivers.sha256 if waivers else "",
    }


def refuse_others(folder: Path, now: Mapping[str, str]) -> dict[str, Any]:
    """What has begun in the folder. Raises pytest.UsageError where that is nothing, or another run."""
    try:
        begun = journal.begun(folder)
    except journal.JournalError as error:
        raise pytest.UsageError(journal.refusal(error)) from None
    if begun is None:
        raise pytest.UsageError(
            f"--resume: {folder} holds no run that was interrupted after it had begun; leave --resume out"
        )
    for name, value in now.items():
        before = begun["described"].get(name)
        if before != value:
            raise pytest.UsageError(f"--resume: {_difference(name, before, value)} {folder}; {_WAY_OUT}")
    return begun


def refuse_selection(begun: Sequence[str], now: Sequence[str]) -> None:
    """The same checks must be selected. Raises pytest.UsageError."""
    if list(begun) != list(now):
        raise pytest.UsageError(
            f"--resume: {len(now)} checks are selected, and other ones ({len(begun)}) when the run began; {_WAY_OUT}"
        )


_WAY_OUT = "give what was given then, or leave --resume out to begin anew"


def _difference(name: str, before: str | None, now: str) -> str:
    shown = f" ({before}, now {now})" if name in ("driver", "cluster", "seed") else ""
    words = "are not what they were" if name in ("options", "waivers") else "is not what it was"
    return f"the {name} {words}{shown} in the run that has begun in"


def look(folder: Path) -> Kept:
    """What a run that goes on here takes over; nothing is written yet. Raises pytest.UsageError."""
    file = folder / HISTORY_FILE
    try:
        refuse_damaged(folder)
        recorded = list(rows_of(file, merged(folder)))
        ended, broken = derive_parts([*recorded, _boundary(len(recorded))])
        known = journal.results(folder)
    except (HistoryError, journal.JournalError) as error:
        raise pytest.UsageError(journal.refusal(error)) from None
    stands = {check.node_id: known[check.node_id] for check in ended if check.node_id in known}
    findings = {
        node_id: [each.model_dump(mode="json", exclude={"waived"}) for each in found]
        for node_id, found in broken.items()
    }
    return Kept(folder, stands, findings, len(recorded) + 1)


def take_up(kept: Kept) -> None:
    """Make one history of what was recorded, and settle which results stand. Raises OSError."""
    row = json.dumps(_boundary(kept.events - 1), separators=(",", ":")) + "\n"
    write(kept.folder, chain(merged(kept.folder), [row]))
    journal.keep(kept.folder, kept.as_json())


def _boundary(seq: int) -> dict[str, Any]:
    return {"seq": seq, "time": round(time.time(), 6), **RESUMED}


def _digest(file: Path) -> str:
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError:
        return ""


def _programs(target: Target) -> list[str]:
    """What the driver's command is made of, as far as these are files that somebody may have built anew."""
    words = target.file.process.command if target.file.process else []
    files = [target.path.parent / word for word in words if word and "{" not in word]
    return [_digest(file) for file in files if file.is_file()]


def _server(settings: Settings) -> str:
    """Which cluster of somebody else it is: a kubeconfig may be pointed elsewhere."""
    from conformance.cluster.kubeconfig import read_kubeconfig

    if settings.kubeconfig is None:
        return ""
    try:
        return read_kubeconfig(settings.kubeconfig).server
    except (OSError, ValueError, KeyError):
        return str(settings.kubeconfig)
