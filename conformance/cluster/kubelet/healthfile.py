"""The kubelet's file `dra_health_state`: what drivers reported of their devices (pkg/kubelet/cm/dra/healthinfo.go)."""

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

_NANOSECONDS = 1_000_000_000


@dataclass(frozen=True)
class Row:
    """A device: its health and message, when that was last heard (seconds since 1970) and how long it is trusted."""

    pool: str
    device: str
    status: str
    updated: float
    timeout: float
    message: str


def load(file: Path) -> dict[str, list[Row]]:
    """Rows by driver; none where there is no file or it cannot be read, with which the kubelet does not bother."""
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        raw = json.loads(file.read_text(encoding="utf-8"))
        return {driver: [_row(device) for device in known["Devices"].values()] for driver, known in raw.items()}
    return {}


def store(file: Path, drivers: Mapping[str, Sequence[Row]]) -> None:
    """Write the file anew, in one step."""
    raw = {driver: {"Devices": {f"{r.pool}/{r.device}": _raw(r) for r in rows}} for driver, rows in drivers.items()}
    scratch = file.with_name(f"{file.name}.tmp")
    scratch.write_text(json.dumps(raw, sort_keys=True, separators=(",", ":")), encoding="utf-8")
    os.replace(scratch, file)


def _row(raw: Mapping[str, Any]) -> Row:
    updated = datetime.fromisoformat(raw["LastUpdated"]).timestamp()
    timeout = raw["HealthCheckTimeout"] / _NANOSECONDS
    return Row(raw["PoolName"], raw["DeviceName"], raw["Health"], updated, timeout, raw["Message"])


def _raw(row: Row) -> dict[str, Any]:
    return {
        "PoolName": row.pool,
        "DeviceName": row.device,
        "Health": row.status,
        "LastUpdated": datetime.fromtimestamp(row.updated, UTC).isoformat().replace("+00:00", "Z"),
        "HealthCheckTimeout": int(row.timeout * _NANOSECONDS),
        "Message": row.message,
    }
