"""The requests of a claim for extended resources, and which container gets the devices of which request.

Source: createRequestsAndMappings in extendeddynamicresources.go of the DynamicResources plugin.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from conformance.cluster.embedded.scheduler import quantity
from conformance.cluster.embedded.scheduler.model import Json

Request = dict[str, Any]
Mapped = dict[str, str]


def requests_and_mappings(pod: Json, classes: Mapping[str, str]) -> tuple[list[Request], list[Mapped]]:
    """Requests, by name, and what pod.status.extendedResourceClaimStatus says of them.

    classes: name of the device class of each resource.
    """
    requests: list[Request] = []
    mappings: list[Mapped] = []
    for resource in sorted(classes):
        more, mapped = _of_resource(pod, resource, classes[resource])
        requests += more
        mappings += mapped
    return sorted(requests, key=lambda row: str(row["name"])), mappings


def _of_resource(pod: Json, resource: str, device_class: str) -> tuple[list[Request], list[Mapped]]:
    init = pod["spec"].get("initContainers") or []
    containers = [*init, *(pod["spec"].get("containers") or ())]
    short = [index for index, row in enumerate(init) if row.get("restartPolicy") != "Always"]
    lasting: list[Request | None] = [None] * len(containers)
    mappings: list[Mapped] = []
    for index, container in enumerate(containers):
        if index not in short:
            lasting[index], mapped = _of_container(index, container, resource, device_class, [])
            mappings += mapped
    # Init containers use devices of containers that run later; what they need beyond that, they share.
    largest: Request | None = None
    own: set[str] = set()
    reusing: list[Mapped] = []
    for index in short:
        request, mapped = _of_container(index, containers[index], resource, device_class, lasting[index:])
        reusing += mapped
        if request is None:
            continue
        own.add(request["name"])
        if largest is None or largest["exactly"]["count"] < request["exactly"]["count"]:
            largest = request
    for row in reusing:
        if largest and row["requestName"] in own:
            row["requestName"] = largest["name"]
    return [row for row in (largest, *lasting) if row], mappings + reusing


def _of_container(
    index: int, container: Json, resource: str, device_class: str, reusable: Sequence[Request | None]
) -> tuple[Request | None, list[Mapped]]:
    asked = (container.get("resources") or {}).get("requests") or {}
    amount = quantity.parse(str(asked.get(resource, "0")))
    if not amount or amount != int(amount):
        return None, []
    wanted, mappings = int(amount), []
    for row in reusable:
        if row is None:
            continue
        mappings.append(_mapped(container, resource, row["name"]))
        wanted -= row["exactly"]["count"]
        if wanted <= 0:
            return None, mappings
    name = f"container-{index}-request-{sorted(asked).index(resource)}"
    exactly = {"deviceClassName": device_class, "allocationMode": "ExactCount", "count": wanted}
    return {"name": name, "exactly": exactly}, [*mappings, _mapped(container, resource, name)]


def _mapped(container: Json, resource: str, request: str) -> Mapped:
    return {"containerName": container["name"], "resourceName": resource, "requestName": request}
