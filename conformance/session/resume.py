"""`--resume`: a run that was interrupted is gone on with, where the same is judged under the same conditions."""

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from conformance.history import HISTORY_FILE, History
from conformance.identity import suite_digest
from conformance.parts import RESUMED, earlier_parts
from conformance.report.derive import Derived, HistoryError, derive_parts, rows
from conformance.session import journal
from conformance.session.merge import merge_histories
from conformance.session.options import Settings
from conformance.target import Target
from conformance.waivers.model import Waivers


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

    @classmethod
    def load(cls, folder: Path) -> "Kept | None":
        """That of this part; None where it is the first one."""
        found = journal.kept(folder)
        return cls(folder, found["results"], found["broken"], found["events"]) if found else None

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
    begun = journal.begun(folder)
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


def take_up(folder: Path) -> Kept:
    """Make one history of what was recorded, and settle which results stand. Raises pytest.UsageError."""
    file = folder / HISTORY_FILE
    merge_histories(folder)
    _mend(file)
    try:
        recorded = list(rows(file)) if file.exists() else []
        row = {"seq": len(recorded), "time": round(time.time(), 6), **RESUMED}
        ended, broken = derive_parts([*recorded, row])
    except HistoryError as error:
        raise pytest.UsageError(f"--resume: {error}; leave --resume out to begin anew") from None
    with file.open("a", encoding="utf-8") as out:
        out.write(json.dumps(row, separators=(",", ":")) + "\n")
    known = journal.results(folder)
    stands = {node_id: known[node_id] for node_id in _node_ids(ended) if node_id in known}
    findings = {
        node_id: [each.model_dump(mode="json", exclude={"waived"}) for each in found]
        for node_id, found in broken.items()
    }
    journal.keep(folder, {"results": stands, "broken": findings, "events": len(recorded) + 1})
    return Kept(folder, stands, findings, len(recorded) + 1)


def _node_ids(checks: Sequence[Derived]) -> list[str]:
    return [check.node_id for check in checks]


def _mend(file: Path) -> None:
    """The last line of a run that was killed may be cut: it never was."""
    if file.exists():
        content = file.read_bytes()
        if not content.endswith(b"\n"):
            file.write_bytes(content[: content.rfind(b"\n") + 1])


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
