"""What the scheduler remembers of slices from one pod to the next."""

from collections.abc import Sequence

from conformance.cluster.embedded.scheduler.pools import Pools
from conformance.cluster.embedded.scheduler.ruledout import RuledOut
from conformance.cluster.embedded.scheduler.slices import Kept
from tests.embedded_scheduler.objects import Obj, devices, node, pool_slice


def test_what_is_made_of_objects_is_kept_while_they_are_the_same() -> None:
    made: list[int] = []

    def count(objects: Sequence[object], before: int | None) -> int:
        made.append(len(objects) if before is None else before + 100)
        return made[-1]

    kept = Kept(count)
    one, two = {"n": 1}, {"n": 2}
    assert [kept.of([one, two]), kept.of([one, two])] == [2, 2]
    assert kept.of([one, {"n": 2}]) == 102, "an equal object is another one"
    assert kept.of([one]) == 202
    assert made == [2, 102, 202]


def test_candidates_of_slices_that_stay_are_taken_over() -> None:
    stays, goes = pool_slice("1", devices("a"), count=2), pool_slice("2", devices("b"), count=2)
    before = Pools([stays, goes])
    (old,) = before.on(node())
    (new,) = Pools([stays, pool_slice("2", devices("c"), count=2)], before).on(node())
    assert old.candidates[0] is new.candidates[0]
    assert [candidate.id.device for candidate in new.candidates] == ["a", "c"]


def test_pools_that_are_everywhere_are_shared_by_nodes() -> None:
    def seen(name: str) -> list[Obj]:
        return [{pool.id.pool: [c.id.device for c in pool.candidates]} for pool in pools.on(node(name))]

    own = pool_slice("1", devices("a"), pool="own", nodeName="node-a")
    pools = Pools([own, pool_slice("2", devices("b"), pool="all", allNodes=True)])
    assert seen("node-a") == [{"all": ["b"]}, {"own": ["a"]}]
    assert seen("node-b") == [{"all": ["b"]}]
    assert pools.on(node("node-a"))[0] is pools.on(node("node-b"))[0]


def test_a_node_with_other_labels_is_looked_at_again() -> None:
    term = {"matchExpressions": [{"key": "zone", "operator": "In", "values": ["z"]}]}
    pools = Pools([pool_slice("1", devices("a"), nodeSelector={"nodeSelectorTerms": [term]})])
    assert pools.on(node(zone="y")) == []
    assert len(pools.on(node(zone="z"))) == 1


def test_positions_that_are_ruled_out_are_passed_over() -> None:
    out = RuledOut(4)
    assert [out.first(at) for at in range(5)] == [0, 1, 2, 3, 4]
    for at in (1, 2):
        out.add(at)
    assert [out.first(at) for at in range(5)] == [0, 3, 3, 3, 4]
    out.add(3)
    assert [out.first(at) for at in range(5)] == [0, 4, 4, 4, 4]
