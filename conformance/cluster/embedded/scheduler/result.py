"""The allocation of a claim, as its status holds it.

Source: Allocate and createNodeSelector in
dynamic-resource-allocation/structured/internal/incubating/allocator_incubating.go.
"""

import uuid
from collections.abc import Iterable, Sequence
from typing import Any

from conformance.cluster.embedded.scheduler.model import AllocationError, Json, Request
from conformance.cluster.embedded.scheduler.search import Choice


def allocation(claim: Json, chosen: Sequence[Choice], picked: Sequence[Request], node: str) -> dict[str, Any]:
    """status.allocation, without the time. Raises AllocationError for a node selector that cannot be merged."""
    devices: dict[str, Any] = {"results": [_result(choice) for choice in chosen]}
    config = _config(claim, picked)
    if config:
        devices["config"] = config
    selector = _node_selector(claim, chosen, node)
    return {"devices": devices, **({"nodeSelector": selector} if selector else {})}


def _result(choice: Choice) -> dict[str, Any]:
    id_, device, request = choice.candidate.id, choice.candidate.device, choice.request
    result: dict[str, Any] = {
        "request": request.full_name,
        "driver": id_.driver,
        "pool": id_.pool,
        "device": id_.device,
    }
    if request.admin:
        result["adminAccess"] = True
    if request.spec.get("tolerations"):
        result["tolerations"] = list(request.spec["tolerations"])
    for name in ("bindingConditions", "bindingFailureConditions"):
        if device.get(name):
            result[name] = list(device[name])
    if choice.consumed is not None:
        result["shareID"] = str(uuid.uuid4())
        if choice.consumed:
            result["consumedCapacity"] = dict(choice.consumed)
    return result


def _config(claim: Json, picked: Sequence[Request]) -> list[dict[str, Any]]:
    """Entries of the classes, each class once, then those of the claim that concern a request."""
    entries = [*_class_config(picked), *_claim_config(claim, picked)]
    for entry in entries:
        # Entries for all requests name none.
        if all(request.named_in(entry["requests"]) for request in picked):
            entry["requests"] = []
        if not entry["requests"]:
            del entry["requests"]
    return entries


def _class_config(picked: Sequence[Request]) -> Iterable[dict[str, Any]]:
    requests: dict[str, list[str]] = {}
    classes: dict[str, Json] = {}
    for request in picked:
        name = request.device_class["metadata"]["name"]
        classes[name] = request.device_class
        requests.setdefault(name, []).append(request.full_name)
    for name, device_class in classes.items():
        for config in device_class["spec"].get("config") or ():
            yield {"source": "FromClass", **config, "requests": list(requests[name])}


def _claim_config(claim: Json, picked: Sequence[Request]) -> Iterable[dict[str, Any]]:
    for config in claim["spec"]["devices"].get("config") or ():
        requests = list(config.get("requests") or ())
        if not requests or any(request.named_in(requests) for request in picked):
            yield {"source": "FromClaim", **config, "requests": requests}


def _node_selector(claim: Json, chosen: Sequence[Choice], node: str) -> dict[str, Any] | None:
    merged: dict[str, list[Json]] = {"matchFields": [], "matchExpressions": []}
    for choice in chosen:
        target = choice.candidate.target
        if target.get("nodeName") or choice.candidate.device.get("bindsToNode"):
            only = {"key": "metadata.name", "operator": "In", "values": [node]}
            return {"nodeSelectorTerms": [{"matchFields": [only]}]}
        terms = (target.get("nodeSelector") or {}).get("nodeSelectorTerms") or ()
        if len(terms) > 1:
            name = claim["metadata"]["name"]
            reason = f"unsupported ResourceSlice.NodeSelector with {len(terms)} terms"
            raise AllocationError(f"create NodeSelector for claim {name}: {reason}")
        for term in terms:
            for kind, requirements in merged.items():
                _merge(requirements, term.get(kind) or ())
    term = {kind: requirements for kind, requirements in merged.items() if requirements}
    return {"nodeSelectorTerms": [term]} if term else None


def _merge(requirements: list[Json], more: Iterable[Json]) -> None:
    def key(requirement: Json) -> tuple[str, str, frozenset[str]]:
        return requirement["key"], requirement["operator"], frozenset(requirement.get("values") or ())

    known = {key(requirement) for requirement in requirements}
    requirements += [requirement for requirement in more if key(requirement) not in known]
