"""What the kubelet asks for and what the scheduler has allocated, as one driver sees it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .errors import ClaimError, KubeError, NotFound, Unanswered
from .kube import KubeClient

_POD_CLAIM = "resource.kubernetes.io/pod-claim-name"
_UID = re.compile(r"[A-Za-z0-9]([A-Za-z0-9_.-]{0,126}[A-Za-z0-9])?")


@dataclass(frozen=True)
class ClaimRef:
    """A claim as the kubelet names it. Only the UID tells claims apart; names come again."""

    namespace: str
    name: str
    uid: str

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}"

    @property
    def usable(self) -> bool:
        """Whether the UID can be part of a file name; a claim of which it cannot is never prepared."""
        return _UID.fullmatch(self.uid) is not None


@dataclass(frozen=True)
class AllocatedDevice:
    """One result of the allocation: `status.allocation.devices.results[]` with the own driver's name."""

    request: str
    pool: str
    device: str
    admin_access: bool = False
    share_id: str | None = None
    consumed_capacity: Mapping[str, str] = field(default_factory=dict)
    binding_conditions: tuple[str, ...] = ()
    binding_failure_conditions: tuple[str, ...] = ()
    tolerations: tuple[Mapping[str, Any], ...] = ()

    @property
    def base_request(self) -> str:
        """The request without the sub-request: the kubelet matches containers by this name only."""
        return self.request.partition("/")[0]


@dataclass(frozen=True)
class Config:
    """One opaque configuration for the own driver. `source` is FromClass (the administrator's) or FromClaim."""

    source: str
    requests: tuple[str, ...]
    parameters: Mapping[str, Any]

    def applies_to(self, device: AllocatedDevice) -> bool:
        """No requests means all; otherwise the exact request, or the base of a chosen sub-request."""
        return not self.requests or device.request in self.requests or device.base_request in self.requests


@dataclass(frozen=True)
class Claim:
    """An allocated claim, reduced to the own driver's devices and configs; configs of the class come first.

    pod_claim: what its pod's spec calls a claim that was made from a template, "" for others.
    """

    ref: ClaimRef
    devices: tuple[AllocatedDevice, ...]
    configs: tuple[Config, ...] = ()
    pod_claim: str = ""

    @property
    def uid(self) -> str:
        """The claim's UID."""
        return self.ref.uid

    def configs_for(self, device: AllocatedDevice) -> list[Config]:
        """The configs that apply to this device; a later one overrides an earlier one."""
        return [config for config in self.configs if config.applies_to(device)]

    @classmethod
    def from_object(cls, obj: Mapping[str, Any], driver: str) -> "Claim":
        """From the ResourceClaim object. Raises ClaimError when it is not allocated."""
        meta = obj["metadata"]
        ref = ClaimRef(meta["namespace"], meta["name"], meta["uid"])
        allocation = (obj.get("status") or {}).get("allocation")
        if not allocation:
            raise ClaimError(f"claim {ref} is not allocated")
        entries = allocation.get("devices") or {}
        devices = tuple(_device(entry) for entry in entries.get("results") or () if entry["driver"] == driver)
        if not devices:
            raise ClaimError(f"the allocation of claim {ref} has no device of driver {driver}")
        configs = [_config(entry) for entry in entries.get("config") or () if _is_for(entry, driver)]
        in_order = tuple(sorted(configs, key=lambda config: config.source != "FromClass"))
        return cls(ref, devices, in_order, (meta.get("annotations") or {}).get(_POD_CLAIM, ""))


class ClaimReader:
    """Reads claims from the API server: what the kubelet asks about is only a name and a UID."""

    def __init__(self, client: KubeClient, driver: str) -> None:
        self._client = client
        self._driver = driver

    def read(self, ref: ClaimRef, timeout: float | None = None) -> Claim:
        """The claim as allocated. Raises ClaimError when it is gone, replaced, not allocated or unreadable."""
        try:
            obj = self._get(ref, timeout)
        except NotFound as error:
            raise ClaimError(f"claim {ref} does not exist") from error
        except KubeError as error:
            kind = Unanswered if error.passes else ClaimError
            raise kind(f"claim {ref} cannot be read: {error}") from error
        if obj["metadata"]["uid"] != ref.uid:
            raise ClaimError(f"claim {ref} was replaced: it has UID {obj['metadata']['uid']}, not {ref.uid}")
        return Claim.from_object(obj, self._driver)

    def in_use(self, ref: ClaimRef) -> bool:
        """Whether the claim still exists and is allocated. Raises KubeError when that cannot be told."""
        try:
            obj = self._get(ref, None)
        except NotFound:
            return False
        return obj["metadata"]["uid"] == ref.uid and bool((obj.get("status") or {}).get("allocation"))

    def _get(self, ref: ClaimRef, timeout: float | None) -> dict[str, Any]:
        return self._client.get(self._client.resource_path("resourceclaims", ref.name, ref.namespace), timeout)


def _device(result: Mapping[str, Any]) -> AllocatedDevice:
    return AllocatedDevice(
        request=result["request"],
        pool=result["pool"],
        device=result["device"],
        admin_access=bool(result.get("adminAccess")),
        share_id=result.get("shareID"),
        consumed_capacity=result.get("consumedCapacity") or {},
        binding_conditions=tuple(result.get("bindingConditions") or ()),
        binding_failure_conditions=tuple(result.get("bindingFailureConditions") or ()),
        tolerations=tuple(result.get("tolerations") or ()),
    )


def _is_for(entry: Mapping[str, Any], driver: str) -> bool:
    return bool((entry.get("opaque") or {}).get("driver") == driver)


def _config(entry: Mapping[str, Any]) -> Config:
    return Config(entry.get("source", ""), tuple(entry.get("requests") or ()), entry["opaque"]["parameters"])
