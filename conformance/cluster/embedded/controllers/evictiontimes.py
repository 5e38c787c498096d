"""When pods have to go because of taints of devices, and which rules want that.

Source: claimEvictionTime and podEvictionTime of pkg/controller/devicetainteviction/device_taint_eviction.go.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from conformance.cluster.embedded.apiserver.objects import key_of
from conformance.cluster.embedded.scheduler.constraints import tolerates
from conformance.cluster.embedded.scheduler.model import DeviceId, Json, PoolId, results_of
from conformance.cluster.embedded.scheduler.podclaims import claim_references, owned_by, reserved_for
from conformance.cluster.embedded.scheduler.slices import generation, pool_id


@dataclass(frozen=True)
class Eviction:
    """When a pod has to go, and the UIDs of the rules that are among the reasons."""

    when: datetime
    rules: frozenset[str]


class Evictions:
    """What taints of slices, and rules with NoExecute, do to pods."""

    def __init__(
        self, pods: Sequence[Json], claims: Sequence[Json], slices: Sequence[Json], rules: Sequence[Json]
    ) -> None:
        """claims: those that are allocated."""
        self.pods = pods
        self._found: dict[str, Eviction | None] = {}
        self._claims = {key_of(claim): claim for claim in claims}
        self._slices = list(_newest(slices))
        self._rules = [rule for rule in rules if rule["spec"]["taint"]["effect"] == "NoExecute"]
        self._taints = {id_: taints for id_, device in self._devices() if (taints := _executing(device))}

    def simulating(self, rule: Json) -> "Evictions":
        """How it would be with this rule alone, if its effect were NoExecute."""
        spec = {**rule["spec"], "taint": {**rule["spec"]["taint"], "effect": "NoExecute"}}
        return Evictions(self.pods, list(self._claims.values()), self._slices, [{**rule, "spec": spec}])

    def of(self, pod: Json) -> Eviction | None:
        """When and why the pod has to go; None for a pod that may stay."""
        uid = pod["metadata"]["uid"]
        if uid not in self._found:
            self._found[uid] = self._of(pod)
        return self._found[uid]

    def _of(self, pod: Json) -> Eviction | None:
        if not pod["spec"].get("nodeName"):
            return None
        found = []
        for name, generated in claim_references(pod):
            claim = self._claims.get((pod["metadata"]["namespace"], name))
            if claim and reserved_for(claim, pod) and (not generated or owned_by(claim, pod)):
                found += list(self._of_claim(claim))
        if not found:
            return None
        rules = frozenset(uid for each in found for uid in each.rules)
        return Eviction(min(each.when for each in found), rules)

    def pending(self, rule: Json) -> list[Json]:
        """Pods that have to go because of the rule, now or later."""
        uid = rule["metadata"]["uid"]
        return [
            pod
            for pod in self.pods
            if not pod["metadata"].get("deletionTimestamp") and (found := self.of(pod)) and uid in found.rules
        ]

    def selected(self, rule: Json) -> tuple[int, int]:
        """How many published devices, and how many allocations of devices, the rule selects."""
        published = sum(_selects(rule, id_) for id_, _ in self._devices())
        allocated = sum(_selects(rule, _id(row)) for claim in self._claims.values() for row in results_of(claim))
        return published, allocated

    def _devices(self) -> Iterator[tuple[DeviceId, Json]]:
        for item in self._slices:
            for device in item["spec"].get("devices") or ():
                yield DeviceId(*pool_id(item), device["name"]), device

    def _of_claim(self, claim: Json) -> Iterator[Eviction]:
        for result in results_of(claim):
            tolerations = result.get("tolerations") or ()
            for taint in self._taints.get(_id(result), ()):
                when = _time(taint, tolerations)
                if when:
                    yield Eviction(when, frozenset())
            for rule in self._rules:
                when = _time(rule["spec"]["taint"], tolerations) if _selects(rule, _id(result)) else None
                if when:
                    yield Eviction(when, frozenset([rule["metadata"]["uid"]]))


def _newest(slices: Sequence[Json]) -> Iterator[Json]:
    newest: dict[PoolId, int] = {}
    for item in slices:
        newest[pool_id(item)] = max(generation(item), newest.get(pool_id(item), 0))
    return (item for item in slices if generation(item) == newest[pool_id(item)])


def _executing(device: Json) -> list[Json]:
    return [taint for taint in device.get("taints") or () if taint.get("effect") == "NoExecute"]


def _id(result: Json) -> DeviceId:
    return DeviceId(result["driver"], result["pool"], result["device"])


def _selects(rule: Json, device: DeviceId) -> bool:
    selector = rule["spec"].get("deviceSelector")
    if selector is None:
        return False
    names = (("driver", device.driver), ("pool", device.pool), ("device", device.device))
    return all(selector.get(key) in (None, name) for key, name in names)


def _time(taint: Json, tolerations: Iterable[Json]) -> datetime | None:
    """When a user of the device has to go; None for never."""
    added = taint.get("timeAdded")
    when = datetime.fromisoformat(added.replace("Z", "+00:00")) if added else datetime.now(UTC)
    matching = [t for t in tolerations if t.get("effect") == "NoExecute" and tolerates(t, taint)]
    if any(t.get("tolerationSeconds") is None for t in matching):
        return None
    try:
        return when + timedelta(seconds=min((max(t["tolerationSeconds"], 0) for t in matching), default=0))
    except OverflowError:
        return None  # after the year 9999
