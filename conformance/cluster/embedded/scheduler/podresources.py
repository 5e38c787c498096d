"""How much of cpu, memory and other resources pods ask for, and what is left of a node's.

Source: PodRequests in component-helpers/resource/helpers.go; fitsRequest of the NodeResourcesFit plugin.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from conformance.cluster.embedded.scheduler import quantity
from conformance.cluster.embedded.scheduler.model import Json

Amounts = dict[str, Decimal]
LEAST = {"cpu": Decimal("0.1"), "memory": Decimal(200 * 1024 * 1024)}
"""What a container that says nothing of it is taken to need, where nodes are compared."""
_NATIVE = ("cpu", "memory", "ephemeral-storage")
_NOTHING = Decimal(0)


def amounts(resources: Mapping[str, Any] | None) -> Amounts:
    """A list of resources as numbers."""
    return {name: quantity.parse(str(value)) for name, value in (resources or {}).items()}


def pod_requests(pod: Json, least: Mapping[str, Decimal] | None = None) -> Amounts:
    """What a pod asks for: its containers together, or an init container that runs before them and wants more.

    least: what a container is taken to ask for that does not.
    """
    spec = pod.get("spec") or {}
    total: Amounts = {}
    for container in spec.get("containers") or ():
        _add(total, _requests(container, least))
    sidecars: Amounts = {}
    most: Amounts = {}
    for container in spec.get("initContainers") or ():
        asked = _requests(container, least)
        if container.get("restartPolicy") == "Always":
            _add(total, asked)
            _add(sidecars, asked)
            asked = dict(sidecars)
        else:
            _add(asked, sidecars)
        _at_least(most, asked)
    _at_least(total, most)
    total |= _pod_level(spec)
    _add(total, amounts(spec.get("overhead")))
    return total


def _pod_level(spec: Json) -> Amounts:
    asked = amounts((spec.get("resources") or {}).get("requests"))
    return {name: amount for name, amount in asked.items() if name in _NATIVE or name.startswith("hugepages-")}


def _requests(container: Json, least: Mapping[str, Decimal] | None) -> Amounts:
    return {**(least or {}), **amounts((container.get("resources") or {}).get("requests"))}


def _add(total: Amounts, more: Amounts) -> None:
    for name, amount in more.items():
        total[name] = total.get(name, _NOTHING) + amount


def _at_least(total: Amounts, least: Amounts) -> None:
    for name, amount in least.items():
        total[name] = max(total.get(name, _NOTHING), amount)


class Usage:
    """How many pods each node has, and what they ask for together."""

    def __init__(self, pods: Iterable[Json], known: "Usage | None" = None) -> None:
        """pods: those with a node that have not ended; known: an earlier one, which has read some of them already."""
        self._pods: dict[str, int] = defaultdict(int)
        self._amounts: dict[str, Amounts] = defaultdict(dict)
        self._at_least: dict[str, Amounts] = defaultdict(dict)
        self._read: dict[int, tuple[Json, Amounts, Amounts]] = {}
        for pod in pods:
            row = known._read.get(id(pod)) if known else None
            row = row or (pod, pod_requests(pod), pod_requests(pod, LEAST))
            # With the pod in it, which keeps another object from getting its id.
            self._read[id(pod)] = row
            node = pod["spec"]["nodeName"]
            self._pods[node] += 1
            _add(self._amounts[node], row[1])
            _add(self._at_least[node], row[2])

    def asked(self, node: Json, *, at_least: bool = False) -> Mapping[str, Decimal]:
        """What the pods of a node ask for; with `at_least`, also by the containers that say nothing."""
        return (self._at_least if at_least else self._amounts).get(node["metadata"]["name"], {})

    def lacking(self, node: Json, wanted: Amounts) -> tuple[list[str], bool]:
        """What the node has too little of, as Kubernetes says it, and whether it would do if it were empty."""
        name = node["metadata"]["name"]
        room = allocatable(node)
        reasons = ["Too many pods"] if self._pods[name] + 1 > room.get("pods", _NOTHING) else []
        enough_if_empty = True
        for resource in sorted(wanted, key=lambda key: (key not in _NATIVE, key)):
            amount = wanted[resource]
            if amount and amount > room.get(resource, _NOTHING) - self._amounts[name].get(resource, _NOTHING):
                reasons.append(f"Insufficient {resource}")
                enough_if_empty &= amount <= room.get(resource, _NOTHING)
        return reasons, enough_if_empty


def allocatable(node: Json) -> Amounts:
    """What the node has for pods."""
    return amounts((node.get("status") or {}).get("allocatable"))
