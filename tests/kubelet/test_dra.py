"""Prepare and Unprepare in the work on pods: order, repetition, failures and what pods are told of them."""

import json
import threading
import zlib
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest
from google.protobuf.message import Message

from conformance.cluster.kubelet import Call, CheckpointCorrupt, RpcFailed, Send
from conformance.cluster.kubelet.rpc import ended_by_kubelet
from conformance.verdict import Inconclusive

from .steps import PREPARE, UNPREPARE, calls, refused
from .world import DRIVER, World


def test_a_pod_gets_its_devices_and_gives_them_back(world: World) -> None:
    plugin = world.registered()
    claim = world.claim("c", pods=("p",))
    world.cdi_spec(claim.uid)
    uid = world.pod("p", "c")
    world.running("p")
    assert world.kubelet.container(uid, "main").env == {"GPU": "yes"}
    world.api.delete("pods", "p", "ns")
    world.happened("pod_gone")
    assert plugin.calls[1:] == [(PREPARE, [claim.uid]), (UNPREPARE, [claim.uid])]


def test_all_claims_of_a_driver_in_one_call(world: World) -> None:
    plugin = world.registered()
    uids = [world.claim(name, pods=("p",)).uid for name in ("c1", "c2")]
    for uid in uids:
        world.cdi_spec(uid)
    world.pod("p", "c1", "c2")
    world.running("p")
    assert calls(plugin, PREPARE) == [uids]


def test_two_pods_share_one_claim(world: World) -> None:
    plugin = world.registered()
    claim = world.claim("c", pods=("p1", "p2"))
    world.cdi_spec(claim.uid)
    for name in ("p1", "p2"):
        world.pod(name, "c")
        world.running(name)
    for name in ("p1", "p2"):
        assert calls(plugin, UNPREPARE) == []
        since = len(world.history)
        world.api.delete("pods", name, "ns")
        world.happened("pod_gone", since=since)
    assert (calls(plugin, PREPARE), calls(plugin, UNPREPARE)) == ([[claim.uid]], [[claim.uid]])


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ({"pods": ()}, "pod p (uid-p) is not allowed to use ResourceClaim c (uid-c)"),
        ({"drivers": ("other.example.com",)}, "DRA driver other.example.com is not registered"),
    ],
)
def test_a_pod_that_fails_before_any_driver_is_called(
    world: World, claim: dict[str, tuple[str, ...]], text: str
) -> None:
    plugin = world.registered()
    world.claim("c", *claim.get("drivers", ()), pods=claim.get("pods", ("p",)))
    world.pod("p", "c")
    refused(world, text)
    world.api.delete("pods", "p", "ns")
    world.happened("pod_gone")
    assert calls(plugin, PREPARE) + calls(plugin, UNPREPARE) == []


def test_a_claim_that_is_not_there_or_not_allocated(world: World) -> None:
    world.pod("p", "c")
    refused(world, 'fetch ResourceClaim c: resourceclaims "c" not found')
    world.claim("c", pods=("p",))
    world.api.patch("resourceclaims", "c", {"status": {"allocation": None}}, "ns")
    refused(world, "ResourceClaim c: not allocated")


def test_a_claim_from_a_template_must_be_the_pods_own(world: World) -> None:
    entry = {"name": "t", "resourceClaimTemplateName": "template"}
    world.pod("p", resourceClaims=[entry])
    refused(world, 'pod "ns/p": ResourceClaim not created yet')
    world.claim("p-t-x", pods=("p",))
    statuses = [{"name": "t", "resourceClaimName": "p-t-x"}]
    world.api.patch("pods", "p", {"status": {"resourceClaimStatuses": statuses}}, "ns")
    refused(world, "ResourceClaim ns/p-t-x was not created for Pod ns/p (Pod is not owner)")


@pytest.mark.parametrize(
    ("fault", "text"),
    [
        ({"prepare_errors": {"uid-c": "no such GPU"}}, f"{PREPARE} failed for ResourceClaim c: no such GPU"),
        ({"answer_uids": lambda uids: []}, f"{PREPARE} skipped 1 ResourceClaims"),
        ({"answer_uids": lambda uids: ["else"]}, f"{PREPARE} returned result for unknown claim UID else"),
        ({"abort": (grpc.StatusCode.INTERNAL, "oh")}, f"{PREPARE}: rpc error: code = Internal desc = oh"),
    ],
)
def test_a_driver_that_fails_is_asked_again(world: World, fault: dict[str, object], text: str) -> None:
    plugin = world.registered()
    good = {key: getattr(plugin, key) for key in fault}
    vars(plugin).update(fault)
    claim = world.claim("c", pods=("p",))
    world.cdi_spec(claim.uid)
    world.pod("p", "c")
    refused(world, text)
    world.api.wait(lambda: world.api.get("pods", "p", "ns").get("status", {}).get("phase") == "Pending")
    vars(plugin).update(good)
    world.running("p")


def test_drivers_that_succeeded_are_called_again_and_not_rolled_back(world: World) -> None:
    good, bad = world.registered("good.example.com"), world.registered("bad.example.com")
    claim = world.claim("c", "good.example.com", "bad.example.com", pods=("p",))
    world.cdi_spec(claim.uid)
    bad.prepare_errors[claim.uid] = "not yet"
    world.pod("p", "c")
    good.wait(lambda: len(calls(good, PREPARE)) > 1, timeout=10)
    assert calls(good, UNPREPARE) == []
    bad.prepare_errors.clear()
    world.running("p")
    ids = world.kubelet.container("uid-p", "main").cdi_ids
    assert ids == (f"example.com/gpu={claim.uid}",) * 2, "each driver's answer replaces its last one"


def test_unprepare_is_repeated_until_it_succeeds(world: World) -> None:
    plugin = world.registered()
    claim = world.claim("c", pods=("p", "late"))
    world.cdi_spec(claim.uid)
    world.pod("p", "c")
    world.running("p")
    plugin.unprepare_errors[claim.uid] = "busy"
    world.api.delete("pods", "p", "ns")
    failed = world.happened("unprepare_failed")
    assert failed["details"] == f"unprepare dynamic resources: {UNPREPARE} failed for ResourceClaim c: busy"
    world.pod("late", "c")
    refused(world, "ResourceClaim c is being unprepared")
    plugin.unprepare_errors.clear()
    world.happened("pod_gone")
    world.running("late")
    assert len(calls(plugin, PREPARE)) == 2


def test_a_failed_prepare_is_unprepared_too(world: World) -> None:
    plugin = world.registered()
    claim = world.claim("c", pods=("p",))
    plugin.prepare_errors[claim.uid] = "no"
    world.pod("p", "c")
    world.happened("prepare_failed")
    world.api.delete("resourceclaims", "c", "ns")
    world.api.delete("pods", "p", "ns")
    world.happened("pod_gone")
    assert calls(plugin, UNPREPARE) == [[claim.uid]]


def test_deleting_a_pod_cancels_its_prepare(world: World) -> None:
    plugin = world.registered()
    plugin.hold = threading.Event()
    claim = world.claim("c", pods=("p",))
    world.pod("p", "c")
    plugin.wait(lambda: calls(plugin, PREPARE) == [[claim.uid]])
    world.api.delete("pods", "p", "ns")
    failed = world.happened("prepare_failed")
    assert failed["details"].endswith("rpc error: code = Canceled desc = context canceled")
    plugin.wait(lambda: calls(plugin, UNPREPARE) == [[claim.uid]])
    plugin.hold.set()
    world.happened("pod_gone")


def test_a_pod_deleted_by_force_is_unprepared(world: World) -> None:
    plugin = world.registered()
    claim = world.claim("c", pods=("p",))
    world.cdi_spec(claim.uid)
    world.pod("p", "c")
    world.running("p")
    world.api.delete("pods", "p", "ns", grace_period_seconds=0)
    plugin.wait(lambda: calls(plugin, UNPREPARE) == [[claim.uid]])


def test_a_pod_deleted_while_the_kubelet_was_away_is_unprepared(world: World) -> None:
    plugin = world.registered()
    claim = world.claim("c", pods=("p",))
    world.cdi_spec(claim.uid)
    world.pod("p", "c")
    world.running("p")
    world.kubelet.stop()
    world.api.delete("pods", "p", "ns", grace_period_seconds=0)
    world.kubelet.start()
    plugin.wait(lambda: calls(plugin, UNPREPARE) == [[claim.uid]])


def test_a_new_claim_of_the_same_name_waits_for_the_old_one(world: World) -> None:
    plugin = world.registered()
    old = world.claim("c", pods=("p",))
    world.cdi_spec(old.uid)
    world.pod("p", "c")
    world.running("p")
    plugin.unprepare_errors[old.uid] = "busy"
    world.api.delete("pods", "p", "ns", grace_period_seconds=0)
    world.api.delete("resourceclaims", "c", "ns")
    world.cdi_spec(world.claim("c", pods=("new",), uid="uid-new").uid)
    world.pod("new", "c")
    refused(
        world,
        "old ResourceClaim with same name c and different UID uid-c still exists (previous pod force-deleted?!)",
    )
    plugin.unprepare_errors.clear()
    world.running("new")
    assert calls(plugin, PREPARE) == [["uid-c"], ["uid-new"]]


def test_the_checkpoint_is_written_before_the_call_and_survives(world: World) -> None:
    plugin = world.registered()
    plugin.hold = threading.Event()
    claim = world.claim("c", pods=("p",))
    world.cdi_spec(claim.uid)
    world.pod("p", "c")
    plugin.wait(lambda: calls(plugin, PREPARE) == [[claim.uid]])
    outer = json.loads((world.kubelet.kubelet_dir / "dra_manager_state").read_text())
    assert outer["Checksum"] == zlib.crc32(outer["Data"].encode())
    inner = json.loads(outer["Data"])
    assert (inner["kind"], inner["apiVersion"]) == ("DRACheckpoint", "checkpoint.dra.kubelet.k8s.io/v1")
    [row] = inner["ClaimInfoStateList"]
    assert (row["ClaimUID"], row["PodUIDs"], row["DriverState"]) == (
        claim.uid,
        {"uid-p": {}},
        {DRIVER: {"Devices": None}},
    )
    plugin.hold.set()
    world.running("p")


def test_a_corrupt_checkpoint_keeps_the_kubelet_down(world: World) -> None:
    world.kubelet.stop()
    state = world.kubelet.kubelet_dir / "dra_manager_state"
    state.write_text('{"Data":"{}","Checksum":1}')
    with pytest.raises(CheckpointCorrupt, match=r"checkpoint is corrupted$"):
        world.kubelet.start()
    assert not world.kubelet.running
    state.unlink()
    world.kubelet.start()
    assert state.exists()


def test_without_its_checkpoint_the_kubelet_unprepares_nothing(world: World) -> None:
    plugin = world.registered()
    claim = world.claim("c", pods=("p",))
    world.cdi_spec(claim.uid)
    world.pod("p", "c")
    world.running("p")
    world.kubelet.stop()
    (world.kubelet.kubelet_dir / "dra_manager_state").unlink()
    world.kubelet.start()
    world.kubelet.wait_registered(DRIVER)
    world.api.delete("pods", "p", "ns")
    world.happened("pod_gone")
    assert calls(plugin, UNPREPARE) == []


def test_restarts_prepare_nothing_for_running_pods(world: World) -> None:
    plugin = world.registered()
    claim = world.claim("c", pods=("p", "p2"))
    spec = world.cdi_spec(claim.uid)
    uid = world.pod("p", "c")
    world.running("p")
    world.kubelet.restart()
    world.kubelet.wait_registered(DRIVER)
    spec = world.cdi_spec(claim.uid, value="new")
    assert world.kubelet.restart_container(uid, "main").env == {"GPU": "new"}, f"{spec} is read again"
    assert len(calls(plugin, PREPARE)) == 1
    world.pod("p2", "c")
    world.running("p2")
    assert len(calls(plugin, PREPARE)) == 2, "but for the first new sandbox after the restart"


def test_interceptors_disturb_calls(world: World) -> None:
    plugin = world.registered()

    def twice(call: Call, send: Send) -> Message:
        send(call)
        return send(call)

    def cancelled(call: Call, send: Send) -> Message:
        raise RpcFailed("CANCELLED", "by the test")

    claim = world.claim("c")
    world.kubelet.interceptors.append(twice)
    assert world.kubelet.prepare(claim).error == ""
    assert calls(plugin, PREPARE) == [[claim.uid]] * 2
    world.kubelet.interceptors[:] = [cancelled]
    answer = world.kubelet.prepare(claim)
    assert (answer.code, answer.details) == ("CANCELLED", "by the test")


def test_a_call_that_the_kubelet_ends_is_no_answer(world: World) -> None:
    plugin = world.registered()
    plugin.hold = threading.Event()
    claim = world.claim("c")
    with ThreadPoolExecutor() as pool:
        asked = pool.submit(world.kubelet.prepare, claim)
        plugin.wait(lambda: calls(plugin, PREPARE) == [[claim.uid]])
        plugin.registration_socket.unlink()
        with pytest.raises(Inconclusive, match="the kubelet closed its connection"):
            asked.result(timeout=10)
    end = world.history.last("rpc", lambda e: e["phase"] == "end" and e["method"] == PREPARE)
    assert end is not None
    assert ended_by_kubelet(end["code"], end["details"])


def test_a_call_is_given_up_at_its_deadline(world: World) -> None:
    plugin = world.registered()
    plugin.hold = threading.Event()
    answer = world.kubelet.prepare(world.claim("c"), timeout=0.1)
    assert answer.code == "DEADLINE_EXCEEDED"
    assert 0.1 <= answer.seconds < 2
    [event] = world.history.events("rpc", lambda e: e["method"] == PREPARE and e["phase"] == "end")
    assert (event["source"], event["code"]) == ("check", "DEADLINE_EXCEEDED")
