"""What was prepared, on disk: one file per claim, whole at any instant, so that the cost does not grow with the claims.

A file holds {"checksum": <CRC-32 of the record as compact, key-sorted JSON>, "record": {…}}. In the record, `version`
is that of the format it was written in and `oldestReader` (1 where it is missing) the oldest version whose readers
understand it. Fields are only added; a reader keeps those that it does not know, so that they are still there when a
record is written again by an older version of the plugin and read by a newer one.
"""

import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import log, metrics
from .cdi import Spec
from .claims import AllocatedDevice, Claim, ClaimRef
from .files import GroupSync, remove, remove_temporaries, write_atomic

FORMAT_VERSION = 1
PREPARING, PREPARED = "preparing", "prepared"


@dataclass(frozen=True)
class PreparedDevice:
    """One device of the answer to the kubelet, and what the claim holds of it; `unknown`: fields of later formats."""

    pool: str
    device: str
    requests: tuple[str, ...] = ()
    cdi_ids: tuple[str, ...] = ()
    share_id: str | None = None
    admin_access: bool = False
    unknown: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @property
    def key(self) -> tuple[str, str]:
        """Which device this is, on this node."""
        return self.pool, self.device


@dataclass(frozen=True)
class ClaimRecord:
    """A claim that is prepared, or was being prepared when the process ended (`state`).

    `metadata`: the content of its files of device metadata, by request. `version`: of the format; `unknown`: fields of
    a later one.
    """

    ref: ClaimRef
    state: str
    boot_id: str
    devices: tuple[PreparedDevice, ...] = ()
    spec: Spec | None = None
    data: dict[str, Any] = field(default_factory=dict)
    metadata: dict[str, str] = field(default_factory=dict)
    version: int = field(default=FORMAT_VERSION, compare=False)
    unknown: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @property
    def uid(self) -> str:
        """The claim's UID."""
        return self.ref.uid

    def matches(self, devices: tuple[AllocatedDevice, ...]) -> bool:
        """Whether these are the devices of the claim's allocation, in this order."""
        held = [(device.pool, device.device, device.requests, device.share_id) for device in self.devices]
        return held == [(entry.pool, entry.device, (entry.base_request,), entry.share_id) for entry in devices]

    def claim(self) -> Claim:
        """What is known of the claim without reading it; nothing of its configuration."""
        devices = [
            AllocatedDevice(
                request=next(iter(held.requests), ""),
                pool=held.pool,
                device=held.device,
                admin_access=held.admin_access,
                share_id=held.share_id,
            )
            for held in self.devices
        ]
        return Claim(self.ref, tuple(devices))

    def to_json(self) -> dict[str, Any]:
        """The record as stored."""
        return {
            **self.unknown,
            "version": max(self.version, FORMAT_VERSION),
            "uid": self.ref.uid,
            "namespace": self.ref.namespace,
            "name": self.ref.name,
            "state": self.state,
            "bootID": self.boot_id,
            "devices": [_device_to_json(device) for device in self.devices],
            "cdiSpec": self.spec,
            "data": self.data,
            "deviceMetadata": self.metadata,
        }

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> "ClaimRecord":
        """From the stored form. Raises ValueError, KeyError, TypeError or AttributeError when it cannot be read."""
        if record.get("oldestReader", 1) > FORMAT_VERSION:
            raise ValueError(
                f"it was written by a later version of the driver, in a format that takes a reader of at least version"
                f" {record['oldestReader']}; this is one of version {FORMAT_VERSION}"
            )
        return cls(
            ref=ClaimRef(record["namespace"], record["name"], record["uid"]),
            state=record["state"],
            boot_id=record.get("bootID", ""),
            devices=tuple(_device_from_json(device) for device in record["devices"]),
            spec=record.get("cdiSpec"),
            data=record.get("data") or {},
            metadata=record.get("deviceMetadata") or {},
            version=int(record.get("version", 1)),
            unknown={name: value for name, value in record.items() if name not in _RECORD_FIELDS},
        )


class Checkpoint:
    """The records in a folder, with a copy in memory. Hold the StateLock around every use but `sync` and `count`.

    What is saved and deleted outlives the process at once. It outlives a power cut once `sync` has returned, which is
    to be called before anybody is told: without the lock, so that calls at the same time share what it costs.
    `on_corrupt` is told of a file that was set aside, and why.
    """

    on_corrupt: Callable[[Path, str], None] = staticmethod(lambda *_: None)

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._records: dict[str, ClaimRecord] = {}
        self._holders: dict[tuple[str, str], set[str]] = {}
        self._group = GroupSync(folder)
        self._unsure: set[str] = set()  # read from disk: whether another instance has synced it is not known

    def reload(self) -> None:
        """Read the folder again: another instance of the plugin may have written to it."""
        self._records.clear()
        self._holders.clear()
        for path in sorted(self._folder.glob("*.json")):
            self._remember(self._read(path))
        self._unsure = set(self._records)

    def get(self, uid: str) -> ClaimRecord | None:
        """The record of a claim."""
        return self._records.get(uid)

    def records(self) -> list[ClaimRecord]:
        """All records."""
        return list(self._records.values())

    def count(self) -> int:
        """How many claims have a record on disk, also those of other instances."""
        return sum(1 for _ in self._folder.glob("*.json"))

    def set_aside(self) -> list[str]:
        """UIDs of claims whose files were corrupt."""
        return [path.stem for path in self._folder.glob("*.corrupt")]

    def holders(self, device: tuple[str, str]) -> Iterator[ClaimRecord]:
        """The records of claims that hold this (pool, device)."""
        yield from (self._records[uid] for uid in self._holders.get(device, ()))

    def save(self, record: ClaimRecord) -> None:
        """Store a record. Raises OSError; what the folder then holds counts.

        An intent (PREPARING) is never synced: a power cut undoes what it announces. What takes its place may be torn by
        one until it is synced; what takes the place of a record that counts already is synced here, to be never torn.
        """
        path, before = self._path(record.uid), self._records.get(record.uid)
        try:
            write_atomic(path, _encode(record), durable=before is not None and before.state != PREPARING)
        except OSError:
            self._forget(record.uid)
            self._remember(self._read(path))
            raise
        self._forget(record.uid)
        self._remember(record)
        if record.state != PREPARING:
            self._group.changed(path)

    def delete(self, uid: str) -> None:
        """Remove the record of a claim, if there is one. Raises OSError."""
        if uid in self._records:
            remove(self._path(uid))
            self._group.changed()
            self._forget(uid)

    def sync(self, uids: Iterable[str]) -> None:
        """Have all that was saved and deleted outlive a power cut, and the records of these claims. Raises OSError."""
        for uid in self._unsure.intersection(uids):
            self._group.changed(self._path(uid))
            self._unsure.discard(uid)
        self._group.sync()

    def remove_temporaries(self) -> None:
        """Remove half-written files of a process that was killed."""
        remove_temporaries(self._folder)

    def _path(self, uid: str) -> Path:
        return self._folder / f"{uid}.json"

    def _read(self, path: Path) -> ClaimRecord | None:
        try:
            return _decode(path.read_bytes())
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            aside = path.with_suffix(".corrupt")
            path.rename(aside)
            reason = f"{type(error).__name__}: {error}"
            log.warning("corrupt checkpoint set aside", claim=path.stem, file=str(aside), error=reason)
            metrics.current().state_file_corrupt()
            self.on_corrupt(aside, reason)
            return None

    def _remember(self, record: ClaimRecord | None) -> None:
        if record is None:
            return
        self._records[record.uid] = record
        for device in record.devices:
            self._holders.setdefault(device.key, set()).add(record.uid)

    def _forget(self, uid: str) -> None:
        record = self._records.pop(uid, None)
        for device in record.devices if record else ():
            self._holders.get(device.key, set()).discard(uid)


_encoder = json.JSONEncoder(sort_keys=True, separators=(",", ":"))  # made once: json.dumps makes one for each call


def _canonical(value: Any) -> bytes:
    return _encoder.encode(value).encode()


def _encode(record: ClaimRecord) -> bytes:
    body = _canonical(record.to_json())
    return b'{"checksum":%d,"record":%s}\n' % (zlib.crc32(body), body)


def _decode(data: bytes) -> ClaimRecord:
    stored = json.loads(data)
    if zlib.crc32(_canonical(stored["record"])) != stored["checksum"]:
        raise ValueError("the checksum does not fit")
    return ClaimRecord.from_json(stored["record"])


def _device_to_json(device: PreparedDevice) -> dict[str, Any]:
    return {
        **device.unknown,
        "pool": device.pool,
        "device": device.device,
        "requests": list(device.requests),
        "cdiDeviceIDs": list(device.cdi_ids),
        "shareID": device.share_id,
        "adminAccess": device.admin_access,
    }


def _device_from_json(stored: dict[str, Any]) -> PreparedDevice:
    return PreparedDevice(
        pool=stored["pool"],
        device=stored["device"],
        requests=tuple(stored.get("requests") or ()),
        cdi_ids=tuple(stored.get("cdiDeviceIDs") or ()),
        share_id=stored.get("shareID"),
        admin_access=bool(stored.get("adminAccess")),
        unknown={name: value for name, value in stored.items() if name not in _DEVICE_FIELDS},
    )


_DEVICE_FIELDS = frozenset(_device_to_json(PreparedDevice("", "")))
_RECORD_FIELDS = frozenset(ClaimRecord(ClaimRef("", "", ""), "", "").to_json())
