"""What is known of a kept cluster, as `status` shows it and `down` needs it: state.json in its folder."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from conformance.target import Target
from conformance.up.order import Order
from conformance.up.place import LOGS

_FILE = "state.json"


@dataclass(frozen=True)
class Record:
    """One cluster.

    since: RFC 3339 time; server: URL of the API server; kubeconfig: file for kubectl; run_dir: private folder of its
    process, "" for none; logs: folder; placeholders: values for those of driver files, of its node; ready: whether it
    was up once; containers: whether a driver of it runs in a container.
    """

    name: str
    cluster: str
    since: str
    drivers: tuple[str, ...] = ()
    kubernetes: str = ""
    server: str = ""
    kubeconfig: str = ""
    run_dir: str = ""
    logs: str = ""
    placeholders: Mapping[str, str] = field(default_factory=dict)
    ready: bool = False
    containers: bool = False

    @classmethod
    def begun(cls, order: Order, folder: Path, targets: Sequence[Target]) -> "Record":
        """That of a cluster that is only about to be made."""
        return cls(
            name=order.name,
            cluster=order.cluster,
            since=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
            drivers=tuple(target.driver_name for target in targets),
            kubeconfig=str(order.kubeconfig or folder / "kubeconfig"),
            logs=str(folder / LOGS),
            containers=order.cluster != "kind" and any(target.file.image for target in targets),
        )

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> "Record":
        """That of `facts()`. Raises TypeError, KeyError."""
        return cls(**{**facts, "drivers": tuple(facts["drivers"])})

    def but(self, **changes: Any) -> "Record":
        """The same with some changes."""
        return replace(self, **changes)

    def facts(self) -> dict[str, Any]:
        """It as JSON."""
        return {**asdict(self), "drivers": list(self.drivers)}


def write(folder: Path, record: Record) -> None:
    """Write it at once, readable by its owner only."""
    draft = folder / f"{_FILE}.new"
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        json.dump(record.facts(), file, indent=2)
    draft.rename(folder / _FILE)


def read(folder: Path) -> Record | None:
    """The record of a folder, None when there is none that can be read."""
    try:
        data = json.loads((folder / _FILE).read_text(encoding="utf-8"))
        return Record.of(data)
    except (OSError, ValueError, TypeError, KeyError):
        return None
