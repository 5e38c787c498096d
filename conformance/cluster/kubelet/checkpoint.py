"""The kubelet's file `dra_manager_state`: the claims it has, in its own format (pkg/kubelet/cm/dra/state)."""

import json
import os
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from conformance.cluster.answer import PreparedDevice

_HEAD = {"kind": "DRACheckpoint", "apiVersion": "checkpoint.dra.kubelet.k8s.io/v1"}


class CheckpointCorrupt(Exception):
    """The file cannot be read; the text is the kubelet's, which does not start then: it must be removed by hand."""


@dataclass
class ClaimInfo:
    """What the kubelet remembers of a claim.

    drivers: every driver of the allocation with the devices it answered; skips: operations it need not be asked for;
    prepared and unpreparing are lost when the kubelet restarts.
    """

    uid: str
    name: str
    namespace: str
    pods: set[str] = field(default_factory=set)
    drivers: dict[str, list[PreparedDevice]] = field(default_factory=dict)
    skips: dict[str, list[str]] = field(default_factory=dict)
    prepared: bool = False
    unpreparing: bool = False

    def skipped(self, driver: str, operation: str) -> bool:
        """Whether the driver's slices say that the operation is not needed."""
        return bool({operation, "*"} & set(self.skips.get(driver, ())))


def load(path: Path) -> list[ClaimInfo]:
    """Claims of the file; where there is none it is made, without claims. Raises CheckpointCorrupt."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        _write(path, None)
        return []
    stage = f"GetOrCreate() on checkpoint state: failed to get checkpoint {path.name}"
    try:
        outer = json.loads(text)
        data = str(outer.get("Data", ""))
        if zlib.crc32(data.encode()) != outer.get("Checksum", 0):
            raise ValueError("checkpoint is corrupted")
        stage = "GetEntries() on checkpoint"
        return [_claim(row) for row in json.loads(data).get("ClaimInfoStateList") or ()]
    except (ValueError, AttributeError, KeyError, TypeError) as error:
        raise CheckpointCorrupt(f"create ResourceClaim cache: {stage}: {_go_words(error)}") from None


def _go_words(error: Exception) -> str:
    if not isinstance(error, json.JSONDecodeError):
        return str(error)
    if error.pos >= len(error.doc):
        return "unexpected end of JSON input"
    return f"invalid character {error.doc[error.pos]!r} looking for beginning of value"


def store(path: Path, claims: Iterable[ClaimInfo]) -> None:
    """Write the file anew, in one step."""
    _write(path, [_row(claim) for claim in claims])


def _write(path: Path, rows: list[dict[str, Any]] | None) -> None:
    data = json.dumps({**_HEAD, "ClaimInfoStateList": rows}, separators=(",", ":"))
    whole = json.dumps({"Data": data, "Checksum": zlib.crc32(data.encode())}, separators=(",", ":"))
    scratch = path.with_name(f".{path.name}")
    scratch.write_text(whole, encoding="utf-8")
    os.replace(scratch, path)


def _row(claim: ClaimInfo) -> dict[str, Any]:
    return {
        "ClaimUID": claim.uid,
        "ClaimName": claim.name,
        "Namespace": claim.namespace,
        "PodUIDs": {uid: {} for uid in sorted(claim.pods)},
        "DriverState": {driver: _driver_row(claim, driver) for driver in sorted(claim.drivers)},
    }


def _driver_row(claim: ClaimInfo, driver: str) -> dict[str, Any]:
    devices = [
        {
            "PoolName": device.pool_name,
            "DeviceName": device.device_name,
            "ShareID": device.share_id,
            "RequestNames": list(device.request_names) or None,
            "CDIDeviceIDs": list(device.cdi_device_ids) or None,
        }
        for device in claim.drivers[driver]
    ]
    skips = claim.skips.get(driver)
    return {"Devices": devices or None, **({"skipNodeOperations": skips} if skips else {})}


def _claim(row: dict[str, Any]) -> ClaimInfo:
    states = row["DriverState"] or {}
    return ClaimInfo(
        uid=row["ClaimUID"],
        name=row["ClaimName"],
        namespace=row["Namespace"],
        pods=set(row["PodUIDs"] or ()),
        drivers={driver: [_device(device) for device in state["Devices"] or ()] for driver, state in states.items()},
        skips={
            driver: state["skipNodeOperations"] for driver, state in states.items() if "skipNodeOperations" in state
        },
    )


def _device(row: dict[str, Any]) -> PreparedDevice:
    return PreparedDevice(
        row["PoolName"],
        row["DeviceName"],
        tuple(row["RequestNames"] or ()),
        tuple(row["CDIDeviceIDs"] or ()),
        row["ShareID"],
    )
