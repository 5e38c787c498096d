"""Conditions in the status of objects: what a driver file wants to be true before the driver counts as ready."""

from collections.abc import Sequence

from conformance.cluster.api import ApiError, Object
from conformance.cluster.kind.manifests import Applier
from conformance.cluster.wait import wait_for
from conformance.target.model import ConditionSection

_OF_KIND = {"CustomResourceDefinition": "Established", "Deployment": "Available", "APIService": "Available"}
_WITHIN = 120.0


def unmet(applier: Applier, wanted: Sequence[ConditionSection]) -> str:
    """Which of the conditions is not true, in words; "" when all are."""
    return next((text for section in wanted if (text := _unmet(applier, section))), "")


def install(applier: Applier, objects: Sequence[Object]) -> None:
    """Apply objects in order, each ready before the next where its kind tells. Raises WaitTimeout, ApiError."""
    for obj in objects:
        applier.apply(obj)
        if obj["kind"] in _OF_KIND:
            section = _section(obj)
            what = f"{section.kind} {section.name} to be {section.condition}"
            wait_for(lambda s=section: not _unmet(applier, s), what, timeout=_WITHIN)  # type: ignore[misc]


def _section(obj: Object) -> ConditionSection:
    meta, kind = obj["metadata"], obj["kind"]
    return ConditionSection(
        api_version=obj["apiVersion"],
        kind=kind,
        name=meta["name"],
        namespace=meta.get("namespace", "default"),
        condition=_OF_KIND[kind],
    )


def _unmet(applier: Applier, section: ConditionSection) -> str:
    metadata = {"name": section.name, "namespace": section.namespace}
    about = f"{section.kind} {section.name}"
    try:
        found = applier.get({"apiVersion": section.api_version, "kind": section.kind, "metadata": metadata})
    except ApiError as error:
        return f"{about} cannot be read: {error}"
    for row in (found.get("status") or {}).get("conditions") or ():
        if row["type"] == section.condition:
            why = f": {row['message']}" if row.get("message") else ""
            return "" if row["status"] == "True" else f"{about} is not {section.condition}{why}"
    return f"{about} is not {section.condition}"
