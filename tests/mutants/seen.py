"""What came of the mutants on real nodes when they were last tried: `on-kind.yaml`, which `make parity` writes."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import yaml

FILE = Path(__file__).with_name("on-kind.yaml")
_HEAD = "# Written by `make parity`: mutants on clusters of kind, when each was last tried, and who found it.\n"


@dataclass(frozen=True)
class Seen:
    """One mutant. date: as in 2026-01-31; found: checks that found it; wrong: what was not as its module says."""

    date: str
    seconds: int
    found: tuple[str, ...]
    wrong: tuple[str, ...] = ()


def read_seen(file: Path = FILE) -> dict[str, Seen]:
    """By name of the fault; {} when none was tried yet."""
    if not file.exists():
        return {}
    rows = yaml.safe_load(file.read_text(encoding="utf-8")) or {}
    return {
        name: Seen(row["date"], row["seconds"], tuple(row["found"]), tuple(row["wrong"])) for name, row in rows.items()
    }


def write_seen(rows: Mapping[str, Seen], file: Path = FILE) -> None:
    """Write all of them, by name."""
    plain = {name: {key: _plain(value) for key, value in asdict(seen).items()} for name, seen in sorted(rows.items())}
    file.write_text(_HEAD + yaml.safe_dump(plain, sort_keys=False, width=120), encoding="utf-8")


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value
