"""What a driver answered to NodePrepareResources or NodeUnprepareResources, as values that checks compare."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ClaimRef:
    """A ResourceClaim as the kubelet names it to a driver."""

    namespace: str
    name: str
    uid: str


@dataclass(frozen=True)
class PreparedDevice:
    """One device of an answer (k8s.io/kubelet/pkg/apis/dra/v1 Device)."""

    pool_name: str
    device_name: str
    request_names: tuple[str, ...] = ()
    cdi_device_ids: tuple[str, ...] = ()
    share_id: str | None = None


@dataclass(frozen=True)
class Entry:
    """The answer for one claim; Unprepare has no devices."""

    error: str = ""
    devices: tuple[PreparedDevice, ...] = ()


@dataclass(frozen=True)
class Answer:
    """The answer to one call. `code` is the gRPC status name, `details` its text; `seconds` how long it took."""

    method: str
    asked: tuple[ClaimRef, ...]
    code: str
    details: str
    entries: Mapping[str, Entry]
    seconds: float

    @property
    def uids(self) -> list[str]:
        """Claim UIDs that the answer has entries for, sorted."""
        return sorted(self.entries)

    @property
    def late(self) -> bool:
        """Whether the call was given up because its time was over."""
        return self.code == "DEADLINE_EXCEEDED"

    @property
    def error(self) -> str:
        """The first thing wrong with it as one text, "" when every claim that was asked for has a good entry."""
        if self.code != "OK":
            return f"rpc error: code = {self.code} desc = {self.details}"
        for claim in self.asked:
            entry = self.entries.get(claim.uid)
            if entry is None:
                return f"the answer has no entry for claim {claim.namespace}/{claim.name} ({claim.uid})"
            if entry.error:
                return entry.error
        return ""

    @property
    def devices(self) -> list[PreparedDevice]:
        """Devices of all claims that were asked for, in the order of the answer."""
        return [device for claim in self.asked for device in self.entry(claim).devices]

    @property
    def cdi_ids(self) -> list[str]:
        """CDI device ids of all devices, in order."""
        return [cdi_id for device in self.devices for cdi_id in device.cdi_device_ids]

    def entry(self, claim: ClaimRef) -> Entry:
        """The entry of one claim; one whose `error` says so when it is missing."""
        return self.entries.get(claim.uid) or Entry(error=f"the answer has no entry for claim {claim.uid}")

    @classmethod
    def from_event(cls, data: Mapping[str, Any]) -> "Answer":
        """The answer that an `rpc` end event of the history holds."""
        response = data.get("response") or {}
        return cls(
            method=data["method"],
            asked=tuple(ClaimRef(c["namespace"], c["name"], c["uid"]) for c in data["request"]["claims"]),
            code=data["code"],
            details=data.get("details", ""),
            entries={uid: _entry(entry) for uid, entry in response.get("claims", {}).items()},
            seconds=data["seconds"],
        )


def _entry(raw: Mapping[str, Any]) -> Entry:
    return Entry(raw.get("error", ""), tuple(_device(d) for d in raw.get("devices", ())))


def _device(raw: Mapping[str, Any]) -> PreparedDevice:
    names: Sequence[str] = raw.get("request_names", ())
    ids: Sequence[str] = raw.get("cdi_device_ids", ())
    return PreparedDevice(
        raw.get("pool_name", ""), raw.get("device_name", ""), tuple(names), tuple(ids), raw.get("share_id")
    )
