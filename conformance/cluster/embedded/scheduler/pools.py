"""Resource pools as one node sees them.

Source: dynamic-resource-allocation/structured/internal/incubating/pools_incubating.go.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from conformance.cluster.embedded.scheduler.model import Candidate, Json, PoolId
from conformance.cluster.embedded.scheduler.nodes import matches_target
from conformance.cluster.embedded.scheduler.ruledout import RuledOut
from conformance.cluster.embedded.scheduler.slices import SliceIndex, generation, pool_id

_REMEMBERED = 32


@dataclass
class Pool:
    """The newest generation of a pool, or why it cannot be used.

    slices: those with devices for the node, by name; elsewhere: those for other nodes; counter_sets: by name;
    candidates: the devices for the node, in the order in which they are tried.
    """

    id: PoolId
    slices: list[Json] = field(default_factory=list)
    elsewhere: list[Json] = field(default_factory=list)
    counter_sets: dict[str, Json] = field(default_factory=dict)
    candidates: list[Candidate] = field(default_factory=list)
    incomplete: bool = False
    invalid: str = ""
    _ruled_out: dict[tuple[str, ...], RuledOut] = field(default_factory=dict, repr=False)

    @property
    def usable(self) -> bool:
        """Whether devices may be taken from it."""
        return not self.incomplete and not self.invalid

    def ruled_out(self, selectors: tuple[str, ...]) -> RuledOut:
        """Which candidates these selectors are known not to select; remembered for the latest selectors."""
        known = self._ruled_out.get(selectors)
        if known is None:
            if len(self._ruled_out) >= _REMEMBERED:
                self._ruled_out.clear()
            known = self._ruled_out[selectors] = RuledOut(len(self.candidates))
        return known

    @cached_property
    def binds_with_conditions(self) -> bool:
        """Whether a device needs preparation before a pod can be bound; such pools are looked at last."""
        return any(device.get("bindingConditions") for device in _devices(self.slices))


class Pools:
    """The pools of a cluster as its nodes see them; worked out once for a node and its labels."""

    def __init__(self, slices: Sequence[Json], known: "Pools | None" = None) -> None:
        """`known`: those of earlier; what is known of slices that are still the same objects is taken over."""
        self._index: SliceIndex = SliceIndex(slices, known._index if known else None)
        self._seen: dict[str, tuple[Json, list[Pool]]] = {}
        self._everywhere: list[Pool] | None = None

    def on(self, node: Json) -> list[Pool]:
        """The pools with slices for the node, in the order in which they are tried. Outdated slices are left out."""
        name, labels = node["metadata"]["name"], node["metadata"].get("labels") or {}
        seen = self._seen.get(name)
        if seen is None or seen[0] != labels:
            if self._everywhere is None:
                everywhere = chain.from_iterable(self._index.of_pool(id_) for id_ in self._index.everywhere)
                self._everywhere = _gather(self._index, everywhere)
            relevant = (slice_ for slice_ in self._index.near(name) if _relevant(slice_, node))
            pools = [*_gather(self._index, relevant), *self._everywhere]
            seen = self._seen[name] = (labels, sorted(pools, key=lambda pool: (pool.binds_with_conditions, pool.id)))
        return seen[1]


def _gather(index: SliceIndex, slices: Iterable[Json]) -> list[Pool]:
    found: dict[PoolId, list[Json]] = {}
    for slice_ in slices:
        _add_newest(found.setdefault(pool_id(slice_), []), slice_)
    return [pool for id_, mine in found.items() if (pool := _pool(id_, mine, index))]


def _relevant(slice_: Json, node: Json) -> bool:
    spec = slice_["spec"]
    if spec.get("nodeName") or spec.get("allNodes") or spec.get("nodeSelector"):
        return matches_target(node, spec)
    per_device = bool(spec.get("perDeviceNodeSelection"))
    return per_device and any(matches_target(node, device) for device in spec.get("devices") or ())


def _add_newest(kept: list[Json], slice_: Json) -> None:
    newest = generation(kept[0]) if kept else -1
    if generation(slice_) > newest:
        kept.clear()
    if generation(slice_) >= newest:
        kept.append(slice_)


def _pool(id_: PoolId, mine: list[Json], index: SliceIndex) -> Pool | None:
    wanted = mine[0]["spec"]["pool"]["resourceSliceCount"]
    if len(mine) == wanted:
        return _checked(id_, mine, [], index)
    # Slices of the pool that are for other nodes count, too; a newer generation among them outdates all of it.
    newest = generation(mine[0])
    whole = [slice_ for slice_ in index.of_pool(id_) if generation(slice_) >= newest]
    if any(generation(slice_) > newest for slice_ in whole):
        return None
    if len(whole) != wanted:
        return Pool(id_, incomplete=True)
    names = {slice_["metadata"]["name"] for slice_ in mine}
    return _checked(id_, mine, [slice_ for slice_ in whole if slice_["metadata"]["name"] not in names], index)


def _checked(id_: PoolId, mine: list[Json], others: list[Json], index: SliceIndex) -> Pool:
    by_name = sorted(mine, key=lambda slice_: str(slice_["metadata"]["name"]))
    pool = Pool(
        id_,
        slices=[slice_ for slice_ in by_name if not slice_["spec"].get("sharedCounters")],
        elsewhere=[slice_ for slice_ in others if not slice_["spec"].get("sharedCounters")],
    )
    invalid = (
        _duplicate_device(pool.slices)
        or _take_counter_sets(pool, [*by_name, *others])
        or _unknown_counter(pool, [*pool.slices, *pool.elsewhere])
    )
    if invalid:
        return Pool(id_, invalid=invalid)
    pool.candidates = list(chain.from_iterable(map(index.candidates, pool.slices)))
    return pool


def _devices(slices: Iterable[Json]) -> Iterable[Json]:
    for slice_ in slices:
        yield from slice_["spec"].get("devices") or ()


def _duplicate_device(slices: Iterable[Json]) -> str:
    names: set[str] = set()
    for device in _devices(slices):
        if device["name"] in names:
            return f"duplicate device name {device['name']}"
        names.add(device["name"])
    return ""


def _take_counter_sets(pool: Pool, slices: Iterable[Json]) -> str:
    for slice_ in slices:
        for counter_set in slice_["spec"].get("sharedCounters") or ():
            name = counter_set["name"]
            if name in pool.counter_sets:
                return f"duplicate counter set name {name}"
            pool.counter_sets[name] = counter_set
    return ""


def _unknown_counter(pool: Pool, slices: Iterable[Json]) -> str:
    for device in _devices(slices):
        for consumption in device.get("consumesCounters") or ():
            counter_set = pool.counter_sets.get(consumption["counterSet"])
            if counter_set is None:
                return f"counter set {consumption['counterSet']} not found"
            for name in consumption.get("counters") or ():
                if name not in counter_set["counters"]:
                    return f"counter {name} not found in counter set {counter_set['name']}"
    return ""
