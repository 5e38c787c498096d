from conformance.cluster.embedded.scheduler.pools import Pool, Pools
from tests.embedded_scheduler.objects import Obj, device, devices, node, pool_slice


def pools(*slices: Obj) -> list[Pool]:
    return Pools(slices).on(node(zone="here"))


def names(pool: Pool) -> list[str]:
    return [candidate.id.device for candidate in pool.candidates]


def only(*slices: Obj) -> Pool:
    (pool,) = pools(*slices)
    return pool


def test_slices_for_the_node_and_no_others() -> None:
    here = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "zone", "operator": "In", "values": ["here"]}]}]}
    given = [
        pool_slice("1", pool="own"),
        pool_slice("2", pool="other", nodeName="node-b"),
        pool_slice("3", pool="every", allNodes=True),
        pool_slice("4", pool="zone", nodeSelector=here),
        pool_slice("5", [device("x", nodeName="node-a")], pool="per-device", perDeviceNodeSelection=True),
        pool_slice("6", [device("x", nodeName="node-b")], pool="per-device-else", perDeviceNodeSelection=True),
    ]
    assert [pool.id.pool for pool in pools(*given)] == ["every", "own", "per-device", "zone"]


def test_the_highest_generation_counts() -> None:
    old = pool_slice("a", devices("old"), generation=1)
    new = pool_slice("b", devices("new"), generation=2)
    assert names(only(old, new)) == names(only(new, old)) == ["new"]


def test_a_pool_lacks_slices() -> None:
    assert only(pool_slice("a", count=2)).incomplete


def test_slices_for_other_nodes_make_a_pool_complete() -> None:
    pool = only(pool_slice("a", devices("x"), count=2), pool_slice("b", devices("y"), count=2, nodeName="node-b"))
    assert not pool.incomplete
    assert names(pool) == ["x"]


def test_a_newer_generation_on_another_node_outdates_the_pool() -> None:
    assert pools(pool_slice("a", count=2), pool_slice("b", count=2, generation=2, nodeName="node-b")) == []


def test_the_order_is_driver_pool_slice_device() -> None:
    given = [
        pool_slice("2", devices("c", "b"), driver="a", pool="p", count=2),
        pool_slice("1", devices("z"), driver="a", pool="p", count=2),
        pool_slice("0", devices("x"), driver="b", pool="a"),
        pool_slice("9", devices("y"), driver="a", pool="o"),
    ]
    assert [name for pool in pools(*given) for name in names(pool)] == ["y", "z", "c", "b", "x"]


def test_pools_with_binding_conditions_come_last() -> None:
    slow = pool_slice("a", [device("x", bindingConditions=["ready"])], pool="a")
    assert [pool.id.pool for pool in pools(slow, pool_slice("b", pool="b"))] == ["b", "a"]


def test_what_makes_a_pool_invalid() -> None:
    twice = [pool_slice("a", devices("x"), count=2), pool_slice("b", devices("x"), count=2)]
    assert only(*twice).invalid == "duplicate device name x"
    counters = [{"name": "set", "counters": {"memory": {"value": "1"}}}]
    shared = pool_slice("a", sharedCounters=counters, count=2)
    assert only(shared, pool_slice("b", sharedCounters=counters, count=2)).invalid == "duplicate counter set name set"

    def consuming(counter_set: str, counter: str) -> Obj:
        part = device("x", consumesCounters=[{"counterSet": counter_set, "counters": {counter: {"value": "1"}}}])
        return pool_slice("b", [part], count=2)

    assert only(shared, consuming("set", "memory")).invalid == ""
    assert only(shared, consuming("no", "memory")).invalid == "counter set no not found"
    assert only(shared, consuming("set", "no")).invalid == "counter no not found in counter set set"
