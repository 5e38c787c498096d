"""Claims of pods, and which containers use them."""

from collections.abc import Generator, Sequence

from conformance.cluster.embedded.apiserver import rules
from conformance.cluster.embedded.apiserver.field_errors import FieldError, duplicate, invalid, required
from conformance.cluster.embedded.apiserver.podrules.words import Errors, Row

_NO_CLAIMS = "must be one of the names in pod.spec.resourceClaims which is empty"


def claims(rows: Sequence[Row]) -> Generator[FieldError, None, set[str]]:
    """The errors; returns the names."""
    names: set[str] = set()
    for index, row in enumerate(rows):
        field, name = f"spec.resourceClaims[{index}]", row.get("name", "")
        if not name:
            yield required(f"{field}.name")
        elif name in names:
            yield duplicate(f"{field}.name", name)
        else:
            yield from rules.device_name(name, f"{field}.name")
            names.add(name)
        chosen = [key for key in ("resourceClaimName", "resourceClaimTemplateName") if key in row]
        if len(chosen) == 2:
            text = "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified"
            yield invalid(field, dict(row), text)
        if not chosen:
            text = "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"
            yield invalid(field, dict(row), text)
        for key in chosen:
            yield from rules.node_name(row[key], f"{field}.{key}")
    return names


def used(rows: Sequence[Row], claims: set[str], field: str) -> Errors:
    """Which claims, or requests in them, a container uses: none twice."""
    seen: set[str] = set()
    for index, row in enumerate(rows):
        place, name, request = f"{field}[{index}]", row.get("name", ""), row.get("request", "")
        if not name:
            yield required(place)
            continue
        key = f"{name}/{request}" if request else name
        if name not in seen and request:
            yield from rules.device_name(request, f"{place}.request")
        if name in seen or key in seen:
            yield duplicate(place, name if name in seen else key)
        elif not request and any(each.partition("/")[0] == name for each in seen):
            yield duplicate(place, name)
        seen.add(key)
        if name not in claims:
            known = ", ".join(sorted(claims))
            why = f"must be one of the names in pod.spec.resourceClaims: {known}" if claims else _NO_CLAIMS
            yield FieldError("FieldValueNotFound", place, name, why)
