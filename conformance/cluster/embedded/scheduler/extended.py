"""Extended resources: what containers ask for by the name of a resource, and a device class stands for.

Source: extendeddynamicresources.go of the DynamicResources plugin and extendedresourcecache of
dynamic-resource-allocation.
"""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from conformance.cluster.embedded.scheduler.extendedrequests import requests_and_mappings
from conformance.cluster.embedded.scheduler.model import Json, UnsuitableNode
from conformance.cluster.embedded.scheduler.podclaims import EXTENDED, made_for_extended_resources
from conformance.cluster.embedded.scheduler.podresources import Amounts, allocatable

_IMPLICIT = "deviceclass.resource.kubernetes.io/"


def class_of(resource: str, classes: Mapping[str, Json]) -> Json | None:
    """The device class that a resource stands for; of several, the newest. Names of classes decide what is left."""
    if resource.startswith(_IMPLICIT):
        return classes.get(resource.removeprefix(_IMPLICIT))
    named = [item for item in classes.values() if item["spec"].get("extendedResourceName") == resource]
    named.sort(key=lambda item: str(item["metadata"]["name"]))
    return max(named, key=lambda item: str(item["metadata"].get("creationTimestamp") or ""), default=None)


@dataclass(frozen=True)
class NodeClaim:
    """What a pod needs from devices of one node: a claim that is not in the API yet, and what each container gets."""

    claim: dict[str, Any]
    mappings: list[dict[str, str]]


class ExtendedResources:
    """The resources that a pod asks for and that devices can give it."""

    def __init__(self, pod: Json, wanted: Amounts, classes: Mapping[str, Json], claims: Iterable[Json]) -> None:
        """wanted: the pod's requests; claims: all there are."""
        self._pod = pod
        self._classes = {name: item for name in wanted if wanted[name] and (item := class_of(name, classes))}
        self.left_over = bool(self._classes) and any(made_for_extended_resources(claim, pod) for claim in claims)
        self._uid = str(uuid.uuid4()) if self._classes else ""

    def __bool__(self) -> bool:
        return bool(self._classes)

    def without(self, node: Json, wanted: Amounts) -> Amounts:
        """What the node itself has to give: all but what its devices give."""
        by_devices = self._by_devices(node)
        return {name: amount for name, amount in wanted.items() if name not in by_devices}

    def on(self, node: Json) -> NodeClaim | None:
        """The claim for the node, None when the node has all of it without devices.

        Raises UnsuitableNode while a claim of an earlier try is in the way.
        """
        if self.left_over:
            raise UnsuitableNode("cannot schedule extended resource claim")
        resources = self._by_devices(node)
        if not resources:
            return None
        requests, mappings = requests_and_mappings(self._pod, resources)
        return NodeClaim(self._claim(requests), mappings)

    def _by_devices(self, node: Json) -> dict[str, str]:
        """Names of resources, each with the name of its class; a node that has one by a device plugin gives it."""
        room = allocatable(node)
        return {name: item["metadata"]["name"] for name, item in self._classes.items() if not room.get(name)}

    def _claim(self, requests: Sequence[Json]) -> dict[str, Any]:
        meta = self._pod["metadata"]
        owner = {"apiVersion": "v1", "kind": "Pod", "name": meta["name"], "uid": meta["uid"], "controller": True}
        return {
            "metadata": {
                "name": "<extended-resources>",
                "namespace": meta["namespace"],
                "uid": self._uid,
                "generateName": f"{meta['name']}-extended-resources-",
                "ownerReferences": [owner],
                "annotations": {EXTENDED: "true"},
            },
            "spec": {"devices": {"requests": list(requests)}},
        }
