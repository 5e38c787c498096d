"""Which writes the planner chooses, without a server."""

from typing import Any

import pytest

from reference_driver.plugin import Device, Planner, PluginError, Pool, SliceBuilder

OWNER = {"apiVersion": "v1", "kind": "Node", "name": "n", "uid": "u", "controller": True}
BUILDER = SliceBuilder("d.example.com", "n")


def specs(*names: str, **extra: Any) -> list[dict[str, Any]]:
    return BUILDER.build("n", Pool([Device(name, extra=extra) for name in names]))


def stored(spec: dict[str, Any], name: str = "00000-d.example.com-n-abcde", generation: int = 1) -> dict[str, Any]:
    meta = {"name": name, "uid": name, "resourceVersion": "7", "ownerReferences": [OWNER]}
    return {"metadata": meta, "spec": spec | {"pool": spec["pool"] | {"generation": generation}}}


def test_equal_quantities_are_no_change() -> None:
    mine, theirs = (
        specs("a", capacity={"memory": {"value": "1024Mi"}}),
        specs("a", capacity={"memory": {"value": "1Gi"}}),
    )
    assert not Planner("d.example.com", "n").plan(mine, [stored(theirs[0])], OWNER)


def test_the_time_of_a_taint_is_kept() -> None:
    taint = {"key": "k", "effect": "NoSchedule"}
    (theirs,) = specs("a", taints=[taint | {"timeAdded": "2030-01-01T00:00:00Z"}])
    plan = Planner("d.example.com", "n").plan(specs("a", "b", taints=[taint]), [stored(theirs)], OWNER)
    first, second = plan.update[0]["spec"]["devices"]
    assert first["taints"][0]["timeAdded"] == "2030-01-01T00:00:00Z"
    assert "timeAdded" not in second["taints"][0]


def test_slices_of_older_generations_and_odd_names_go() -> None:
    (spec,) = specs("a")
    good, old = stored(spec, generation=3), stored(spec, "00000-d.example.com-n-xyzzy", 2)
    plan = Planner("d.example.com", "n").plan([spec], [good, old], OWNER)
    assert (plan.update, plan.create, plan.delete) == ([], [], [old])
    plan = Planner("d.example.com", "n").plan([spec], [stored(spec, "n-d.example.com-abcde", 4)], OWNER)
    assert [obj["spec"]["pool"]["generation"] for obj in plan.create] == [5]


def test_of_two_slices_with_one_index_the_older_stays() -> None:
    (spec,) = specs("a")
    twins = [stored(spec, "00000-d.example.com-n-zzzzz"), stored(spec, "00000-d.example.com-n-aaaaa")]
    plan = Planner("d.example.com", "n").plan([spec], twins, OWNER)
    assert plan.delete == [twins[0]]
    assert not plan.update


def test_sixty_four_devices_with_taints_or_counters() -> None:
    names = [f"a-{number}" for number in range(65)]
    assert len(specs(*names)) == 1
    assert len(specs(*names, taints=[{"key": "k", "effect": "NoSchedule"}])) == 2


def test_counters_have_slices_of_their_own() -> None:
    sets = [{"name": f"set-{number}", "counters": {"memory": {"value": "1Gi"}}} for number in range(9)]
    use = [{"counterSet": "set-8", "counters": {"memory": {"value": "1Gi"}}}]
    built = BUILDER.build("n", Pool([Device("a", extra={"consumesCounters": use})], sets))
    assert [sorted(set(spec) & {"devices", "sharedCounters"}) for spec in built] == [
        ["sharedCounters"],
        ["sharedCounters"],
        ["devices"],
    ]
    use[0]["counterSet"] = "set-9"
    with pytest.raises(PluginError, match="counter set set-9, which the pool does not have"):
        BUILDER.build("n", Pool([Device("a", extra={"consumesCounters": use})], sets))


def test_a_pool_with_a_name_twice_is_refused() -> None:
    with pytest.raises(PluginError, match="device a more than once"):
        specs("a", "b", "a")
