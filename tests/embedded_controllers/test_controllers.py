"""Claims from templates, reservations that are over, and what goes with its owner."""

from collections.abc import Iterator

import pytest

from conformance.cluster.embedded.controllers.claims import ClaimController
from conformance.cluster.embedded.controllers.generate import name_base
from conformance.cluster.embedded.scheduler.feed import Change
from conformance.cluster.wait import wait_for
from tests.embedded_scheduler.control_plane import ControlPlane, control_plane
from tests.embedded_scheduler.objects import DRIVER, Obj


@pytest.fixture
def plane() -> Iterator[ControlPlane]:
    with control_plane() as plane:
        plane.device_class()
        plane.publish("a")
        yield plane


def generated(plane: ControlPlane, pod: str) -> str:
    def name() -> str | None:
        rows = plane.get("pods", pod).get("status", {}).get("resourceClaimStatuses", [])
        return rows[0]["resourceClaimName"] if rows else None

    return wait_for(name, f"the claim of pod {pod}", timeout=3)


def test_a_claim_is_made_from_a_template(plane: ControlPlane) -> None:
    plane.template("t")
    pod = plane.pod("p", template="t")
    meta = plane.get("resourceclaims", generated(plane, "p"))["metadata"]
    assert meta["name"].startswith("p-made-")
    assert meta["annotations"] == {"resource.kubernetes.io/pod-claim-name": "made"}
    assert meta["labels"] == {"made": "from-template"}
    (owner,) = meta["ownerReferences"]
    assert owner == {
        "apiVersion": "v1",
        "kind": "Pod",
        "name": "p",
        "uid": pod["metadata"]["uid"],
        "controller": True,
    }


def test_long_names_are_cut_in_proportion() -> None:
    assert name_base("pod", "claim") == "pod-claim-"
    assert name_base("p" * 60, "c" * 20) == "p" * 41 + "-" + "c" * 13


def test_a_missing_template_is_told_once_and_waited_for(plane: ControlPlane) -> None:
    plane.pod("p", template="t")
    text = 'PodResourceClaim made: resource claim template "t": resourceclaimtemplate.resource.k8s.io "t" not found'
    wait_for(lambda: plane.events("FailedResourceClaimCreation"), "the event", timeout=3)
    plane.template("t")
    plane.bound("p")
    assert plane.events("FailedResourceClaimCreation") == [text]


def test_a_finished_pod_gives_its_devices_back(plane: ControlPlane) -> None:
    plane.template("t")
    plane.pod("p", template="t")
    plane.bound("p")
    name = generated(plane, "p")
    plane.finish("p")
    assert plane.gone("resourceclaims", name)
    assert plane.store.exists("pods", "p", "default")


def test_a_deleted_pod_gives_its_devices_back(plane: ControlPlane) -> None:
    plane.template("t")
    plane.claim("c")
    plane.publish("a", "b", generation=2)
    plane.pod("p", template="t", claim="c")
    plane.bound("p")
    name = generated(plane, "p")
    plane.store.delete("pods", "p", "default", grace_period_seconds=0)
    assert plane.gone("resourceclaims", name)
    claim = plane.becomes("c", allocated=False, holders=0)
    assert "allocation" not in claim["status"]


def test_devices_are_kept_while_the_pod_ends(plane: ControlPlane) -> None:
    plane.claim("c")
    plane.pod("p", claim="c")
    plane.bound("p")
    plane.store.delete("pods", "p", "default", grace_period_seconds=30)
    plane.pod("marker")
    plane.bound("marker")
    plane.becomes("c", allocated=True, holders=1)
    # The kubelet has stopped it.
    plane.store.delete("pods", "p", "default", grace_period_seconds=0)
    plane.becomes("c", allocated=False, holders=0)


def test_a_claim_in_use_is_deleted_after_its_last_pod(plane: ControlPlane) -> None:
    plane.claim("c")
    plane.pod("p", claim="c")
    plane.bound("p")
    plane.store.delete("resourceclaims", "c", "default")
    plane.becomes("c", allocated=True, holders=1)
    plane.store.delete("pods", "p", "default", grace_period_seconds=0)
    assert plane.gone("resourceclaims", "c")


def test_news_that_is_late_takes_no_reservation_away(plane: ControlPlane) -> None:
    plane.claim("c")
    plane.pod("one", claim="c")
    plane.bound("one")
    before = plane.get("resourceclaims", "c")
    plane.pod("two", claim="c")
    plane.bound("two")
    plane.store.delete("pods", "one", "default", grace_period_seconds=0)
    # A controller that hears of the claim as it was when only the first pod held it.
    ClaimController(plane.store).handle(Change("MODIFIED", "resourceclaims", before))
    claim = plane.becomes("c", allocated=True, holders=1)
    assert claim["status"]["reservedFor"][0]["name"] == "two"


def test_a_pod_of_the_same_name_does_not_keep_the_reservation(plane: ControlPlane) -> None:
    plane.claim("c")
    plane.pod("p", claim="c")
    plane.bound("p")
    plane.store.delete("pods", "p", "default", grace_period_seconds=0)
    plane.pod("p")
    plane.becomes("c", allocated=False, holders=0)


def test_a_generated_claim_that_was_deleted_is_made_again(plane: ControlPlane) -> None:
    plane.template("t")
    plane.claim("never")
    plane.pod("p", template="t", schedulingGates=[{"name": "example.com/wait"}])
    first = generated(plane, "p")
    plane.store.delete("resourceclaims", first, "default")

    def other() -> bool:
        name = generated(plane, "p")
        return name != first and plane.store.exists("resourceclaims", name, "default")

    wait_for(other, "another claim", timeout=3)


def owned_slice(owner: Obj) -> Obj:
    reference = {"apiVersion": "v1", "kind": "Node", "name": owner["metadata"]["name"], "uid": owner["metadata"]["uid"]}
    pool = {"name": "x", "generation": 1, "resourceSliceCount": 1}
    spec = {"driver": DRIVER, "pool": pool, "nodeName": owner["metadata"]["name"], "devices": []}
    return {"metadata": {"name": "owned", "ownerReferences": [{**reference, "controller": True}]}, "spec": spec}


def test_slices_go_with_their_node(plane: ControlPlane) -> None:
    node = plane.store.create("nodes", {"metadata": {"name": "short-lived"}})
    plane.store.create("resourceslices", owned_slice(node))
    plane.store.delete("nodes", "short-lived")
    assert plane.gone("resourceslices", "owned", None)
    assert plane.store.exists("resourceslices", "node-a")


def test_slices_of_a_node_that_was_never_there_go(plane: ControlPlane) -> None:
    node = plane.store.get("nodes", "node-a")
    node["metadata"]["uid"] = "11111111-2222-3333-4444-555555555555"
    plane.store.create("resourceslices", owned_slice(node))
    assert plane.gone("resourceslices", "owned", None)


def test_a_namespace_takes_its_claims_along(plane: ControlPlane) -> None:
    plane.namespace = "mine"
    plane.store.create("namespaces", {"metadata": {"name": "mine"}})
    plane.claim("c")
    plane.pod("p", claim="c")
    plane.bound("p")
    plane.store.delete("namespaces", "mine")
    # The kubelet has stopped the pod.
    plane.store.delete("pods", "p", "mine", grace_period_seconds=0)
    assert plane.gone("resourceclaims", "c", "mine")
    assert plane.gone("namespaces", "mine", None)
