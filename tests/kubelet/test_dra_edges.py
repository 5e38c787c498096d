"""Prepare and Unprepare where things are unusual: skipped, repeated, too large, without driver or claim."""

import re
from dataclasses import replace
from pathlib import Path

import grpc
import pytest

from .conftest import FAST
from .metrics import metric
from .steps import PREPARE, UNPREPARE, calls, refused
from .world import DRIVER, World


def test_operations_that_a_driver_can_do_without(run_dir: Path) -> None:
    world = World(run_dir, replace(FAST, optional_node_operations=True))
    world.kubelet.start()
    try:
        plugin = world.registered()
        skipping(world, ["NodePrepareResources"])
        world.pod("p", "c")
        world.running("p")
        assert calls(plugin, PREPARE) == []
        world.api.delete("pods", "p", "ns")
        world.happened("pod_gone")
        assert calls(plugin, UNPREPARE) == [["uid-c"]]
        assert metric(world, f'dra_node_prepare_skips_total{{driver_name="{DRIVER}"}}') == 1
    finally:
        world.stop()


def test_operations_are_optional_behind_a_feature_gate(world: World) -> None:
    world.registered()
    skipping(world, ["*"])
    world.pod("p", "c")
    refused(world, "ResourceClaim c: DRAOptionalNodeOperations feature gate is disabled on kubelet")


def skipping(world: World, operations: list[str]) -> None:
    world.claim("c", pods=("p",))
    result = {"request": "gpu", "driver": DRIVER, "pool": "node-a", "device": "gpu-0", "skipNodeOperations": operations}
    world.api.patch("resourceclaims", "c", {"status": {"allocation": {"devices": {"results": [result]}}}}, "ns")


def test_one_claim_twice_in_a_pod_is_skipped_for_ever(world: World) -> None:
    plugin = world.registered()
    claim = world.claim("c", pods=("p",))
    world.cdi_spec(claim.uid)
    entries = [{"name": name, "resourceClaimName": "c"} for name in ("one", "two")]
    world.pod("p", "c", resourceClaims=entries)
    refused(world, f"{PREPARE} skipped 1 ResourceClaims")
    assert calls(plugin, PREPARE)[0] == [claim.uid] * 2


def test_a_driver_that_is_gone_keeps_its_pods_terminating(world: World) -> None:
    plugin = world.registered()
    claim = world.claim("c", pods=("p",))
    world.cdi_spec(claim.uid)
    world.pod("p", "c")
    world.running("p")
    plugin.close(plugin.registration_socket)
    world.kubelet.wait_registered(DRIVER, count=0)
    world.api.delete("pods", "p", "ns")
    failed = world.happened("unprepare_failed")
    assert failed["details"] == f"unprepare dynamic resources: DRA driver {DRIVER} is not registered"
    plugin.serve_registration()
    world.happened("pod_gone")
    assert calls(plugin, UNPREPARE) == [[claim.uid]]


@pytest.mark.parametrize(
    ("fault", "text"),
    [
        ({"answer_uids": lambda uids: []}, f"{UNPREPARE} skipped 1 ResourceClaims"),
        ({"answer_uids": lambda uids: ["else"]}, f"{UNPREPARE} returned result for unknown claim UID else"),
        ({"abort": (grpc.StatusCode.INTERNAL, "oh")}, f"{UNPREPARE}: rpc error: code = Internal desc = oh"),
    ],
)
def test_unprepare_is_checked_as_prepare_is(world: World, fault: dict[str, object], text: str) -> None:
    plugin = world.registered()
    claim = world.claim("c", pods=("p",))
    world.cdi_spec(claim.uid)
    world.pod("p", "c")
    world.running("p")
    good = {key: getattr(plugin, key) for key in fault}
    vars(plugin).update(fault)
    world.api.delete("pods", "p", "ns")
    assert world.happened("unprepare_failed")["details"] == f"unprepare dynamic resources: {text}"
    assert [event for event in world.texts() if "unprepare" in event] == [], "no event tells of it"
    vars(plugin).update(good)
    world.happened("pod_gone")


def test_an_answer_may_have_four_mebibytes(world: World) -> None:
    plugin = world.registered()
    plugin.prepare_errors["uid-c"] = "x" * (4 << 20)
    world.claim("c", pods=("p",))
    world.pod("p", "c")
    failed = world.happened("prepare_failed")
    assert re.search(
        r"rpc error: code = ResourceExhausted desc = grpc: received message larger than max \(\d+ vs. 4194304\)$",
        failed["details"],
    )


def test_a_driver_without_a_connection_is_unavailable(world: World) -> None:
    world.plugin(endpoint="/nowhere/dra.sock")
    world.kubelet.wait_registered(DRIVER)
    world.claim("c", pods=("p",))
    world.pod("p", "c")
    dialled = "transport: Error while dialing: dial unix /nowhere/dra.sock: connect: no such file or directory"
    refused(world, f'{PREPARE}: rpc error: code = Unavailable desc = connection error: desc = "{dialled}"')


def test_a_registered_driver_is_needed_even_for_what_is_prepared(world: World) -> None:
    plugin = world.registered()
    claim = world.claim("c", pods=("p", "late"))
    world.cdi_spec(claim.uid)
    world.pod("p", "c")
    world.running("p")
    plugin.close(plugin.registration_socket)
    world.kubelet.wait_registered(DRIVER, count=0)
    world.pod("late", "c")
    refused(world, f"DRA driver {DRIVER} is not registered")


def test_claims_that_no_container_uses_are_prepared_too(world: World) -> None:
    plugin = world.registered()
    claim = world.claim("c", pods=("p",))
    uid = world.pod("p", "c", containers=[{"name": "main"}])
    world.running("p")
    assert calls(plugin, PREPARE) == [[claim.uid]]
    assert world.kubelet.container(uid, "main").cdi_ids == ()


def test_an_entry_without_a_claim_needs_nothing(world: World) -> None:
    world.registered()
    world.pod("p", "t", resourceClaims=[{"name": "t", "resourceClaimTemplateName": "template"}])
    refused(world, 'pod "ns/p": ResourceClaim not created yet')
    world.api.patch("pods", "p", {"status": {"resourceClaimStatuses": [{"name": "t"}]}}, "ns")
    world.running("p")


def test_unprepare_stops_at_the_first_driver_that_fails_and_begins_anew(world: World) -> None:
    good, bad = world.registered("good.example.com"), world.registered("bad.example.com")
    claim = world.claim("c", "good.example.com", "bad.example.com", pods=("p",))
    world.cdi_spec(claim.uid)
    world.pod("p", "c")
    world.running("p")
    bad.unprepare_errors[claim.uid] = "busy"
    world.api.delete("pods", "p", "ns")
    good.wait(lambda: len(calls(good, UNPREPARE)) > 1, timeout=10)
    bad.unprepare_errors.clear()
    world.happened("pod_gone")


def test_a_claim_is_not_fetched_to_be_unprepared(world: World) -> None:
    plugin = world.registered()
    claim = world.claim("c", pods=("p",))
    world.cdi_spec(claim.uid)
    world.pod("p", "c")
    world.running("p")
    world.api.delete("resourceclaims", "c", "ns")
    world.kubelet.restart()
    world.kubelet.wait_registered(DRIVER)
    world.api.delete("pods", "p", "ns")
    world.happened("pod_gone")
    assert calls(plugin, UNPREPARE) == [[claim.uid]], "also by a kubelet that did not prepare it"
