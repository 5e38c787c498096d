"""Resource pools as one node sees them.

Source: dynamic-resource-allocation/structured/internal/incubating/pools_incubating.go.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from conformance.cluster.embedded.scheduler.model import Candidate, DeviceId, Json, PoolId
from conformance.cluster.embedded.scheduler.nodes import matches_target


@dataclass
class Pool:
    """The newest generation of a pool, or why it cannot be used.

    slices: those with devices for the node, by name; elsewhere: those for other nodes; counter_sets: by name.
    """

    id: PoolId
    slices: list[Json] = field(default_factory=list)
    elsewhere: list[Json] = field(default_factory=list)
    counter_sets: dict[str, Json] = field(default_factory=dict)
    incomplete: bool = False
    invalid: str = ""

    @property
    def usable(self) -> bool:
        """Whether devices may be taken from it."""
        return not self.incomplete and not self.invalid

    @property
    def binds_with_conditions(self) -> bool:
        """Whether a device needs preparation before a pod can be bound; such pools are looked at last."""
        return any(device.get("bindingConditions") for device in _devices(self.slices))

    def candidates(self) -> Iterable[Candidate]:
        """The devices for the node, in the order in which they are tried."""
        for slice_ in self.slices:
            for device in slice_["spec"].get("devices") or ():
                yield Candidate(DeviceId(*self.id, device["name"]), device, slice_)


def gather(slices: Sequence[Json], node: Json) -> list[Pool]:
    """The pools with slices for the node, in the order in which they are tried. Outdated slices are left out."""
    found: dict[PoolId, list[Json]] = {}
    for slice_ in slices:
        if _relevant(slice_, node):
            _add_newest(found.setdefault(pool_id(slice_), []), slice_)
    pools = [pool for id_, mine in found.items() if (pool := _pool(id_, mine, slices))]
    return sorted(pools, key=lambda pool: (pool.binds_with_conditions, pool.id))


def pool_id(slice_: Json) -> PoolId:
    """The pool that a slice belongs to."""
    return PoolId(slice_["spec"]["driver"], slice_["spec"]["pool"]["name"])


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


def generation(slice_: Json) -> int:
    """The generation of the pool that the slice belongs to."""
    return int(slice_["spec"]["pool"].get("generation") or 0)


def _pool(id_: PoolId, mine: list[Json], slices: Sequence[Json]) -> Pool | None:
    wanted = mine[0]["spec"]["pool"]["resourceSliceCount"]
    if len(mine) == wanted:
        return _checked(id_, mine, [])
    # Slices of the pool that are for other nodes count, too; a newer generation among them outdates all of it.
    newest = generation(mine[0])
    whole = [slice_ for slice_ in slices if pool_id(slice_) == id_ and generation(slice_) >= newest]
    if any(generation(slice_) > newest for slice_ in whole):
        return None
    if len(whole) != wanted:
        return Pool(id_, incomplete=True)
    names = {slice_["metadata"]["name"] for slice_ in mine}
    return _checked(id_, mine, [slice_ for slice_ in whole if slice_["metadata"]["name"] not in names])


def _checked(id_: PoolId, mine: list[Json], others: list[Json]) -> Pool:
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
    return Pool(id_, invalid=invalid) if invalid else pool


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
