"""Files of device metadata: where containers find them, and what is in them (KEP-5304)."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from conformance.cluster import Allocated, Claim

Object = dict[str, Any]

FOLDER = "/var/run/kubernetes.io/dra-device-attributes"
VERSIONS = ("metadata.resource.k8s.io/v1beta1", "metadata.resource.k8s.io/v1")
"""The current version, and what may come after it."""


def paths_of(pod_claim: str, devices: Sequence[Allocated]) -> dict[str, str]:
    """Request to the path of its file, in containers of a pod whose claim was made from a template."""
    rows = {row.request.partition("/")[0]: row.driver for row in devices}
    template = f"{FOLDER}/resourceclaimtemplates/{pod_claim}"
    return {request: f"{template}/{request}/{driver}-metadata.json" for request, driver in rows.items()}


def decode(text: str) -> list[Object]:
    """The objects of a file, one after the other. Raises ValueError."""
    found, rest = [], text.lstrip()
    while rest:
        obj, end = json.JSONDecoder().raw_decode(rest)
        found.append(obj)
        rest = rest[end:].lstrip()
    return found


def faults_of(text: str, claim: Claim, request: str, devices: Sequence[Allocated]) -> list[str]:
    """What is wrong with a request's file, in words."""
    try:
        objects = decode(text)
    except ValueError as error:
        return [f"the file is not JSON: {error}"]
    current = next((obj for obj in objects if obj.get("apiVersion") in VERSIONS), None)
    if current is None:
        return [f"no object has apiVersion {VERSIONS[0]}: {[obj.get('apiVersion') for obj in objects]}"]
    wanted = {(row.driver, row.pool, row.device) for row in devices if row.request.partition("/")[0] == request}
    meta = current.get("metadata") or {}
    stated = [
        (current.get("kind"), "DeviceMetadata", "kind"),
        (meta.get("uid"), claim.uid, "metadata.uid"),
        (meta.get("name"), claim.name, "metadata.name"),
        (meta.get("namespace"), claim.namespace, "metadata.namespace"),
        (_devices(current), wanted, "devices"),
    ]
    return [f"{what} is {got}, not {want}" for got, want, what in stated if got != want]


def _devices(obj: Mapping[str, Any]) -> set[tuple[str, str, str]]:
    rows = [device for request in obj.get("requests") or () for device in request.get("devices") or ()]
    return {(row.get("driver", ""), row.get("pool", ""), row.get("name", "")) for row in rows}
