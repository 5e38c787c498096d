"""allocatedResourcesStatus of containers: the health of their devices."""

from collections.abc import Sequence

from conformance.cluster.embedded.apiserver.field_errors import (
    duplicate,
    forbidden,
    invalid,
    not_supported,
    required,
    too_long,
)
from conformance.cluster.embedded.apiserver.podrules.words import Errors, Row
from conformance.cluster.embedded.apiserver.quantities import value_of

_CLAIM = "claim:"
_HEALTH = ("Healthy", "Unhealthy", "Unknown")
_MESSAGE_BYTES = 1024
_CLAIM_TEXT = (
    "must match one of the container's resource claims as 'claim:<claimName>/<requestName>' when "
    "container.resources.claims[*].request is set or 'claim:<claimName>' when it is empty"
)


def allocated(status: Row, spec: Row, kind: str, containers: str) -> Errors:
    """Of all containers of one `kind` of status, such as containerStatuses, whose specs are in `containers`."""
    known = {row["name"]: row for row in reversed(spec.get(containers, []))}
    for index, container in enumerate(status.get(kind, [])):
        field, rows = f"status.{kind}[{index}].allocatedResourcesStatus", container.get("allocatedResourcesStatus", [])
        if containers == "ephemeralContainers":
            if rows:
                yield forbidden(field, "must not be specified in container status")
            continue
        for number, row in enumerate(rows):
            name = row.get("name", "")
            found = known.get(container.get("name", ""))
            if found is not None and not _uses(found, name, status.get("extendedResourceClaimStatus") or {}):
                claim = name.startswith(_CLAIM)
                why = _CLAIM_TEXT if claim else "must match one of the container's resource requests"
                yield invalid(f"{field}[{number}].name", name, why)
            yield from _devices(row.get("resources", []), f"{field}[{number}].resources")


def _uses(container: Row, name: str, extended: Row) -> bool:
    """Whether a container has a claim, a request of one, or a resource of that name."""
    requests = container["resources"].get("requests", {})
    if not name.startswith(_CLAIM):
        return name in requests
    for row in container["resources"].get("claims", []):
        if name == _CLAIM + row["name"] + (f"/{row['request']}" if row.get("request") else ""):
            return True
    claim, _, request = name.removeprefix(_CLAIM).partition("/")
    return bool(request) and any(
        claim == extended.get("resourceClaimName", "")
        and (row.get("containerName"), row.get("requestName")) == (container["name"], request)
        and value_of(str(requests.get(row.get("resourceName"), "0"))) != 0
        for row in extended.get("requestMappings", [])
    )


def _devices(rows: Sequence[Row], field: str) -> Errors:
    seen: set[str] = set()
    for index, row in enumerate(rows):
        place, name = f"{field}[{index}]", row.get("resourceID", "")
        if row.get("health", "") not in _HEALTH:
            yield not_supported(f"{place}.health", row.get("health", ""), _HEALTH)
        if "message" in row:
            if not row["message"]:
                yield required(f"{place}.message", "must be non-empty if specified")
            elif len(row["message"].encode()) > _MESSAGE_BYTES:
                yield too_long(f"{place}.message", _MESSAGE_BYTES)
        if name in seen:
            yield duplicate(f"{place}.resourceID", name)
        seen.add(name)
