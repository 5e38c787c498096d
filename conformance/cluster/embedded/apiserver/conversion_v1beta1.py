"""resource.k8s.io/v1beta1: devices have their content in `basic`, and requests what v1 has in `exactly`.

Source: pkg/apis/resource/v1beta1/conversion.go, defaults.go.
"""

import re
from collections.abc import Callable
from typing import Any

from conformance.cluster.embedded.apiserver.objects import Object

_OWN = ("name", "firstAvailable")

_DEVICE_FIELD = re.compile(r"(spec\.devices\[\d+\])\.(?!name$)(.+)")
_EXACTLY = re.compile(r"(devices\.requests\[\d+\])\.exactly")


def slice_to_stored(obj: Object) -> Object:
    """A ResourceSlice; node names and flags that are empty are not given."""
    spec = dict(obj.get("spec") or {})
    for key in ("nodeName", "allNodes"):
        if not spec.get(key):
            spec.pop(key, None)
    return _with_spec(obj, _each(spec, "devices", _device_to_stored))


def slice_from_stored(obj: Object) -> Object:
    """A ResourceSlice."""
    return _with_spec(obj, _each(obj.get("spec") or {}, "devices", _device_from_stored))


def claim_to_stored(obj: Object) -> Object:
    """A ResourceClaim."""
    return _with_spec(obj, _claim(obj.get("spec") or {}, _request_to_stored))


def claim_from_stored(obj: Object) -> Object:
    """A ResourceClaim."""
    return _with_spec(obj, _claim(obj.get("spec") or {}, _request_from_stored))


def template_to_stored(obj: Object) -> Object:
    """A ResourceClaimTemplate."""
    return _with_spec(obj, _inner(obj, claim_to_stored))


def template_from_stored(obj: Object) -> Object:
    """A ResourceClaimTemplate."""
    return _with_spec(obj, _inner(obj, claim_from_stored))


def _with_spec(obj: Object, spec: Object) -> Object:
    return {**obj, "spec": spec} if "spec" in obj else obj


def _inner(obj: Object, convert: Callable[[Object], Object]) -> Object:
    return convert(obj.get("spec") or {})


def _claim(spec: Object, convert: Callable[[Object], Object]) -> Object:
    return {**spec, "devices": _each(spec["devices"], "requests", convert)} if spec.get("devices") else spec


def _each(obj: Object, key: str, convert: Callable[[Object], Object]) -> Object:
    return {**obj, key: [convert(row) for row in obj[key]]} if obj.get(key) else obj


def _device_to_stored(device: Object) -> Object:
    return {**{key: value for key, value in device.items() if key != "basic"}, **(device.get("basic") or {})}


def _device_from_stored(device: Object) -> Object:
    return {"name": device.get("name", ""), "basic": {key: value for key, value in device.items() if key != "name"}}


def _request_to_stored(request: Object) -> Object:
    found = {key: request[key] for key in _OWN if key in request}
    exactly: dict[str, Any] = {key: value for key, value in request.items() if key not in _OWN}
    # What is empty and no pointer was not given.
    if any(value or key in ("adminAccess", "capacity") for key, value in exactly.items()):
        found["exactly"] = exactly
    return found


def _request_from_stored(request: Object) -> Object:
    exactly = {"deviceClassName": "", **(request.get("exactly") or {})}
    return {**{key: request[key] for key in _OWN if key in request}, **exactly}


def slice_path(path: str) -> str:
    """A field of a ResourceSlice: all of a device but its name is one level deeper."""
    return _DEVICE_FIELD.sub(r"\1.basic.\2", path)


def request_path(path: str) -> str:
    """A field of a request in a claim or a template: what is exactly one request is not a level of its own."""
    return _EXACTLY.sub(r"\1", path)
