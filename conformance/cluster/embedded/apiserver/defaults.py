"""What the API server fills in (pkg/apis/resource/v1/defaults.go, pkg/apis/core/v1/defaults.go)."""

import base64
from collections.abc import Iterator
from typing import Any

from conformance.cluster.embedded.apiserver.objects import Object, dig, timestamp
from conformance.cluster.embedded.apiserver.quantities import rounded


def resource_slice(obj: Object) -> None:
    """Defaults of a ResourceSlice: the pool's generation is always written out, taints get their time."""
    pool = obj.setdefault("spec", {}).setdefault("pool", {})
    pool.setdefault("generation", 0)
    for device in obj["spec"].get("devices", []):
        for taint in device.get("taints", []):
            taint.setdefault("timeAdded", timestamp())


def resource_claim(obj: Object) -> None:
    """Defaults of a ResourceClaim."""
    obj.setdefault("spec", {}).setdefault("devices", {})
    _requests(obj["spec"])
    for result in dig(obj, "status.allocation.devices.results") or []:
        _tolerations(result)


def resource_claim_template(obj: Object) -> None:
    """Defaults of the claim spec in a ResourceClaimTemplate."""
    spec = obj.setdefault("spec", {}).setdefault("spec", {})
    spec.setdefault("devices", {})
    _requests(spec)


def device_class(obj: Object) -> None:
    """A DeviceClass always has a spec."""
    obj.setdefault("spec", {})


def device_taint_rule(obj: Object) -> None:
    """Defaults of a DeviceTaintRule."""
    obj.setdefault("spec", {}).setdefault("taint", {}).setdefault("timeAdded", timestamp())


def _requests(spec: Object) -> None:
    for request in _device_requests(spec):
        mode = request["allocationMode"] = request.get("allocationMode") or "ExactCount"
        if mode == "ExactCount" and not request.get("count"):
            request["count"] = 1
        _tolerations(request)


def _device_requests(spec: Object) -> Iterator[Object]:
    for request in spec["devices"].get("requests", []):
        if "exactly" in request:
            yield request["exactly"]
        yield from request.get("firstAvailable", [])


def _tolerations(row: dict[str, Any]) -> None:
    for toleration in row.get("tolerations", []):
        toleration["operator"] = toleration.get("operator") or "Equal"


def secret(obj: Object) -> None:
    """The type of a Secret; what is given as text is kept as data."""
    obj["type"] = obj.get("type") or "Opaque"
    for key, text in obj.pop("stringData", {}).items():
        obj.setdefault("data", {})[key] = base64.b64encode(text.encode()).decode()


def node(obj: Object) -> None:
    """Amounts of a Node's resources are in thousandths; all can be allocated that nobody keeps back.

    Of the one range of addresses for pods and the list of them, the one counts where they differ.
    """
    spec, status = obj.get("spec") or {}, obj.get("status") or {}
    one, ranges = spec.get("podCIDR"), spec.get("podCIDRs")
    if one and (not ranges or ranges[0] != one):
        spec["podCIDRs"] = [one]
    elif ranges:
        spec["podCIDR"] = ranges[0]
    if status.get("capacity") and not status.get("allocatable"):
        status["allocatable"] = dict(status["capacity"])
    for key in ("capacity", "allocatable"):
        amounts = dig(obj, f"status.{key}") or {}
        amounts |= {name: rounded(amount) for name, amount in amounts.items()}


def namespace(obj: Object) -> None:
    """The label that every Namespace has, and its phase."""
    if "status" in obj:
        obj["status"]["phase"] = obj["status"].get("phase") or "Active"
    meta = obj.setdefault("metadata", {})
    if meta.get("name"):
        meta.setdefault("labels", {})["kubernetes.io/metadata.name"] = meta["name"]
