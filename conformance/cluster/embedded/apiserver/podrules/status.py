"""The status of a pod (ValidatePodStatusUpdate)."""

from collections.abc import Sequence

from conformance.cluster.embedded.apiserver import formats, rules
from conformance.cluster.embedded.apiserver.field_errors import (
    FieldError,
    duplicate,
    forbidden,
    invalid,
    required,
)
from conformance.cluster.embedded.apiserver.podrules.allocated import allocated
from conformance.cluster.embedded.apiserver.podrules.words import (
    MOST_INT32,
    Errors,
    Row,
    address,
    between,
    parsed,
)

_SYSTEM = ("PodScheduled", "Ready", "Initialized")
_KINDS = ("containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses")
_ENDED = "may not be transitioned to non-terminated state"
_GENERATION = "must be a non-negative integer"
_FAMILIES = "may specify no more than one IP for each IP family"
_MOST_UINT32 = 2**32 - 1


def status_errors(pod: Row, old: Row) -> Errors:
    """All that is wrong with a status that is written over another one."""
    status, before, spec = pod.get("status", {}), old.get("status", {}), old["spec"]
    yield from _conditions(status.get("conditions", []), "status.conditions")
    yield from _nominated(status.get("nominatedNodeName", ""), before.get("nominatedNodeName", ""), spec)
    if status.get("observedGeneration", 0) < 0:
        yield invalid("status.observedGeneration", status["observedGeneration"], _GENERATION)
    if status.get("qosClass", "") != before.get("qosClass", ""):
        yield invalid("status.qosClass", status.get("qosClass", ""), "field is immutable")
    for kind, containers in zip(_KINDS, ("containers", "initContainers", "ephemeralContainers"), strict=True):
        yield from _ended(status.get(kind, []), before.get(kind, []), spec, containers, f"status.{kind}")
        yield from _users(status.get(kind, []), f"status.{kind}")
        yield from allocated(status, spec, kind, containers)
    yield from _claims(status.get("resourceClaimStatuses", []), spec, "status.resourceClaimStatuses")
    if "extendedResourceClaimStatus" in status:
        yield from _extended(status["extendedResourceClaimStatus"], spec, "status.extendedResourceClaimStatus")
    yield from _addresses(status, before, "podIP")
    if status.get("hostIPs"):
        yield from _addresses(status, before, "hostIP")


def _conditions(rows: Sequence[Row], field: str) -> Errors:
    for index, row in enumerate(rows):
        if row.get("observedGeneration", 0) < 0:
            yield invalid(f"{field}[{index}].observedGeneration", row["observedGeneration"], _GENERATION)
        kind = row.get("type", "")
        if kind not in _SYSTEM:
            yield from formats.each(formats.label_key(kind), f"{field}[{index}].Type", kind)


def _nominated(name: str, before: str, spec: Row) -> Errors:
    field = "status.nominatedNodeName"
    if not name or name == before:
        return
    yield from rules.node_name(name, field)
    if spec.get("nodeName"):
        yield forbidden(field, "may not be set on pods that are already bound to a node")


def _ended(rows: Sequence[Row], old: Sequence[Row], spec: Row, containers: str, field: str) -> Errors:
    """A container that has ended does not go on, unless it may be restarted."""
    now = {row.get("name", ""): row for row in reversed(rows)}
    specs = {row.get("name", ""): row for row in spec.get(containers, [])}
    for index, row in enumerate(old):
        ended, name = row.get("state", {}).get("terminated"), row.get("name", "")
        if ended is None or name not in now or "terminated" in now[name].get("state", {}):
            continue
        if containers == "ephemeralContainers" or not _restarted(specs.get(name), spec, ended.get("exitCode", 0)):
            yield forbidden(f"{field}[{index}].state", _ENDED)


def _restarted(container: Row | None, spec: Row, code: int) -> bool:
    if container is None:
        return False
    policy = container.get("restartPolicy", spec["restartPolicy"])
    return policy == "Always" or (policy == "OnFailure" and code != 0)


def _users(rows: Sequence[Row], field: str) -> Errors:
    for index, row in enumerate(rows):
        user, place = (row.get("user") or {}).get("linux"), f"{field}[{index}].user.linux"
        if user is None:
            continue
        for key, most in (("uid", _MOST_UINT32), ("gid", MOST_INT32)):
            if not 0 <= user.get(key, 0) <= most:
                yield invalid(f"{place}.{key}", user[key], between(0, most))


def _claims(rows: Sequence[Row], spec: Row, field: str) -> Errors:
    known = {row.get("name", "") for row in spec.get("resourceClaims", [])}
    seen: set[str] = set()
    for index, row in enumerate(rows):
        place, name = f"{field}[{index}]", row.get("name", "")
        if name not in known:
            yield invalid(f"{place}.name", name, "must match the name of an entry in `spec.resourceClaims`")
        if name in seen:
            yield duplicate(f"{place}.name", name)
        seen.add(name)
        if "resourceClaimName" in row:
            yield from rules.node_name(row["resourceClaimName"], f"{place}.resourceClaimName")


def _extended(row: Row, spec: Row, field: str) -> Errors:
    if not row.get("requestMappings"):
        yield required(f"{field}.requestMappings", "at least one request mapping is required")
    containers = {each["name"]: each for key in ("initContainers", "containers") for each in spec.get(key, [])}
    seen: set[tuple[str, ...]] = set()
    for index, mapping in enumerate(row.get("requestMappings", [])):
        place = f"{field}.requestMappings[{index}]"
        parts = {key: mapping.get(key, "") for key in ("containerName", "resourceName", "requestName")}
        if parts["containerName"] not in containers:
            why = "must match the name of an entry in spec.initContainers.name or spec.containers.name"
            yield invalid(f"{place}.containerName", parts["containerName"], why)
        elif parts["resourceName"] not in containers[parts["containerName"]]["resources"].get("requests", {}):
            where = "spec.initContainers.resources.requests or spec.containers.resources.requests"
            why = f"must match the extended resource name of an entry in {where}"
            yield invalid(f"{place}.resourceName", parts["resourceName"], why)
        yield from rules.device_name(parts["requestName"], f"{field}.requestName")
        if tuple(parts.values()) in seen:
            yield from (duplicate(f"{place}.{key}", value) for key, value in parts.items())
        seen.add(tuple(parts.values()))
    if not row.get("resourceClaimName"):
        yield required(f"{field}.resourceClaimName")
    else:
        yield from rules.node_name(row["resourceClaimName"], f"{field}.resourceClaimName")


def _addresses(status: Row, old: Row, key: str) -> Errors:
    """podIP and podIPs, or hostIP and hostIPs; those that there were are not looked at again."""
    single, rows, field = status.get(key, ""), status.get(f"{key}s", []), f"status.{key}s"
    addresses, kept = [row.get("ip", "") for row in rows], [row.get("ip", "") for row in old.get(f"{key}s", [])]
    for index, text in enumerate(addresses):
        if text not in kept:
            yield from address(text, f"{field}[{index}]")
    if len(addresses) > 1:
        found = [parsed(text) for text in addresses]
        if None in found:
            why = f"failed to check for dual stack with error:invalid IPs {addresses}"
            yield FieldError("InternalError", field, "", why)
        if len(addresses) > 2 or len({each.version for each in found if each is not None}) != 2:
            yield invalid(field, rows, _FAMILIES)
    if key == "podIP" and bool(single) != bool(rows):
        yield invalid(field, rows, f"{key} and {key}s must either both be set or both be unset")
    elif rows and single != addresses[0]:
        yield invalid(f"{field}[0].ip", addresses[0], f"must be equal to `{key}`")
