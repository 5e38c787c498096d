"""The scheduler's view of the store, made anew only where something has changed."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from conformance.cluster.embedded.apiserver.objects import Key, key_of
from conformance.cluster.embedded.scheduler.model import Allocated, Json
from conformance.cluster.embedded.scheduler.placement import World
from conformance.cluster.embedded.scheduler.podclaims import done
from conformance.cluster.embedded.scheduler.podresources import Usage
from conformance.cluster.embedded.scheduler.pools import Pools
from conformance.cluster.embedded.scheduler.slices import Kept
from conformance.cluster.embedded.scheduler.taintrules import with_rules

if TYPE_CHECKING:
    from conformance.cluster.embedded.apiserver.store import Store


class Watched:
    """Everything that decides about a pod's place, always as the store has it now. For one thread."""

    def __init__(self, store: "Store") -> None:
        self._store = store
        self._classes = Kept[Mapping[str, Json]](lambda objects, _: {row["metadata"]["name"]: row for row in objects})
        self._allocated = Kept[Allocated](lambda claims, _: Allocated.of(claims))
        self._usage = Kept(Usage)
        self._tainted = Kept[Sequence[Json]](lambda objects, _: _tainted(objects))
        self._pools = Kept(Pools)

    def world(self, binding: Mapping[Key, str]) -> World:
        """As it is now, with what this scheduler has just written. `binding`: nodes of pods about to be bound."""
        claims = self._all("resourceclaims")
        return World(
            nodes=sorted(self._all("nodes"), key=lambda node: str(node["metadata"]["name"])),
            pools=self._pools.of(self._tainted.of([*self._all("devicetaintrules"), *self._all("resourceslices")])),
            classes=self._classes.of(self._all("deviceclasses")),
            claims=claims,
            allocated=self._allocated.of(claims),
            usage=self._usage.of(self._placed_pods(binding)),
        )

    def _placed_pods(self, binding: Mapping[Key, str]) -> list[Json]:
        """Pods that have a node, or are about to be bound to one."""
        placed: list[Json] = []
        for pod in self._all("pods"):
            if done(pod):
                continue
            if pod["spec"].get("nodeName"):
                placed.append(pod)
            elif key_of(pod) in binding:
                placed.append({**pod, "spec": {**pod["spec"], "nodeName": binding[key_of(pod)]}})
        return placed

    def _all(self, resource: str) -> Sequence[Json]:
        return self._store.everything(resource)


def _tainted(objects: Sequence[Json]) -> Sequence[Json]:
    """The slices among rules and slices, with the taints of the rules."""
    rules = [row for row in objects if "taint" in row["spec"]]
    return with_rules(objects[len(rules) :], rules)
