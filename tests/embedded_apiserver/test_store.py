"""The store keeps objects as the API server does."""

import threading

import pytest

from conformance.cluster.api import AlreadyExists, Conflict, Forbidden, Invalid, NotFound
from conformance.cluster.embedded.apiserver import Store
from conformance.history import History
from tests.embedded_apiserver.objects import Object, a_claim, a_pod, a_slice, an_allocation


def test_a_created_object_has_what_the_server_fills_in(store: Store) -> None:
    created = store.create("resourceslices", a_slice())
    meta = created["metadata"]
    assert meta["name"].startswith("node-a-")
    assert len(meta["name"]) == len("node-a-") + 5
    assert meta["generateName"] == "node-a-"
    assert meta["generation"] == 1
    assert meta["uid"]
    assert meta["resourceVersion"].isdecimal()
    assert created["apiVersion"] == "resource.k8s.io/v1"


def test_versions_grow_and_only_the_spec_counts_generations(store: Store) -> None:
    first = store.create("resourceslices", a_slice("s"))
    labelled = store.modify("resourceslices", "s", None, lambda obj: obj["metadata"].update(labels={"a": "b"}))
    changed = store.modify("resourceslices", "s", None, lambda obj: obj["spec"]["devices"].append({"name": "gpu-1"}))
    versions = [int(obj["metadata"]["resourceVersion"]) for obj in (first, labelled, changed)]
    assert versions == sorted(set(versions))
    assert [obj["metadata"]["generation"] for obj in (first, labelled, changed)] == [1, 1, 2]


def test_a_write_that_changes_nothing_makes_no_event(store: Store, history: History) -> None:
    created = store.create("resourceslices", a_slice("s"))
    before = len(history)
    again = store.update("resourceslices", created)
    assert again == created
    assert len(history) == before


def test_an_old_version_is_a_conflict(store: Store) -> None:
    old = store.create("resourceslices", a_slice("s"))
    store.modify("resourceslices", "s", None, lambda obj: obj["spec"].update(devices=[]))
    old["spec"]["devices"] = [{"name": "other"}]
    with pytest.raises(Conflict, match="the object has been modified; please apply your changes"):
        store.update("resourceslices", old)


def test_names_are_taken_once(store: Store) -> None:
    store.create("deviceclasses", {"metadata": {"name": "c"}})
    with pytest.raises(AlreadyExists, match=r'deviceclasses.resource.k8s.io "c" already exists'):
        store.create("deviceclasses", {"metadata": {"name": "c"}})


def test_status_and_spec_are_written_apart(store: Store) -> None:
    claim = store.create("resourceclaims", {**a_claim(), "status": {"allocation": an_allocation()}})
    assert claim["status"] == {}
    claim["status"] = {"allocation": an_allocation()}
    claim["spec"]["devices"]["requests"] = []
    claim["metadata"]["labels"] = {"a": "b"}
    written = store.update_status("resourceclaims", claim)
    assert written["status"]["allocation"]["devices"]["results"][0]["device"] == "gpu-0"
    assert len(written["spec"]["devices"]["requests"]) == 1
    assert "labels" not in written["metadata"]
    written["status"] = {}
    written["metadata"]["labels"] = {"a": "b"}
    assert "allocation" in store.update("resourceclaims", written)["status"]


def test_deallocation_takes_the_device_status_with_it(store: Store) -> None:
    store.create("resourceclaims", a_claim())
    device = {"driver": "gpu.example.com", "pool": "node-a", "device": "gpu-0"}

    def allocate(obj: Object) -> None:
        obj["status"] = {"allocation": an_allocation(), "devices": [device]}

    def deallocate(obj: Object) -> None:
        del obj["status"]["allocation"]

    store.modify("resourceclaims", "claim", "default", allocate, status=True)
    after = store.modify("resourceclaims", "claim", "default", deallocate, status=True)
    assert "devices" not in after["status"]


def test_finalizers_hold_an_object_until_the_last_is_gone(store: Store) -> None:
    claim = a_claim()
    claim["metadata"]["finalizers"] = ["resource.kubernetes.io/delete-protection"]
    store.create("resourceclaims", claim)
    marked = store.delete("resourceclaims", "claim", "default")
    assert marked["metadata"]["deletionTimestamp"]
    assert store.exists("resourceclaims", "claim", "default")
    store.modify("resourceclaims", "claim", "default", lambda obj: obj["metadata"].update(finalizers=[]))
    assert not store.exists("resourceclaims", "claim", "default")


def test_a_bound_pod_waits_for_its_kubelet(store: Store) -> None:
    store.create("pods", a_pod())
    store.bind("pod", "default", "node-a")
    marked = store.delete("pods", "pod", "default")
    assert marked["metadata"]["deletionGracePeriodSeconds"] == 30
    store.delete("pods", "pod", "default", grace_period_seconds=0)
    assert not store.exists("pods", "pod", "default")


def test_a_grace_period_may_be_as_long_as_a_number_can_be(store: Store) -> None:
    store.create("pods", a_pod(nodeName="node-1", terminationGracePeriodSeconds=2**63 - 1), "default")
    marked = store.delete("pods", "pod", "default")
    assert marked["metadata"]["deletionGracePeriodSeconds"] == 2**63 - 1


def test_a_pod_without_a_node_goes_at_once(store: Store) -> None:
    store.create("pods", a_pod())
    store.delete("pods", "pod", "default")
    assert not store.exists("pods", "pod", "default")


def test_preconditions_name_one_very_object(store: Store) -> None:
    store.create("resourceslices", a_slice("s"))
    with pytest.raises(Conflict, match=r"the UID in the precondition \(other\) does not match"):
        store.delete("resourceslices", "s", uid="other")
    with pytest.raises(Conflict, match=r"the ResourceVersion in the precondition \(1\) does not match"):
        store.delete("resourceslices", "s", resource_version="1")


def test_a_subscription_begins_with_what_is_there(store: Store) -> None:
    store.create("resourceslices", a_slice("one"))
    store.create("resourceslices", a_slice("other", driver="other.example.com"))
    changes = store.subscribe("resourceslices", field_selector="spec.driver=gpu.example.com")
    threading.Timer(0.02, store.delete, ("resourceslices", "one")).start()
    seen = [changes.get(timeout=5), changes.get(timeout=5)]
    assert [(change[0], change[1]["metadata"]["name"]) for change in seen if change] == [
        ("ADDED", "one"),
        ("DELETED", "one"),
    ]
    changes.close()
    assert list(changes) == []


def test_an_object_that_leaves_the_selection_is_deleted_for_its_watcher(store: Store) -> None:
    store.create("nodes", {"metadata": {"name": "n", "labels": {"gpu": "yes"}}})
    changes = store.subscribe("nodes", label_selector="gpu=yes")
    store.modify("nodes", "n", None, lambda obj: obj["metadata"].update(labels={}))
    store.modify("nodes", "n", None, lambda obj: obj["metadata"].update(labels={"gpu": "yes"}))
    seen = [change for change in (changes.get(1), changes.get(1), changes.get(1)) if change]
    assert [change[0] for change in seen] == ["ADDED", "DELETED", "ADDED"]
    # It is seen as it last matched, at the version at which it left.
    assert seen[1][1]["metadata"]["labels"] == {"gpu": "yes"}
    versions = [int(change[1]["metadata"]["resourceVersion"]) for change in seen]
    assert versions == sorted(set(versions))
    changes.close()


def test_nothing_is_created_outside_of_a_namespace(store: Store) -> None:
    with pytest.raises(NotFound, match='namespaces "nowhere" not found'):
        store.create("resourceclaims", a_claim(), "nowhere")


@pytest.mark.parametrize("name", ["default", "kube-system", "kube-public"])
def test_every_cluster_keeps_its_namespaces(store: Store, name: str) -> None:
    with pytest.raises(Forbidden, match="this namespace may not be deleted"):
        store.delete("namespaces", name)


def test_a_namespace_goes_with_its_last_object(store: Store) -> None:
    store.create("namespaces", {"metadata": {"name": "check"}})
    store.create("pods", a_pod(), "check")
    store.bind("pod", "check", "node-a")
    assert store.delete("namespaces", "check")["status"]["phase"] == "Terminating"
    with pytest.raises(Forbidden, match="because it is being terminated"):
        store.create("resourceclaims", a_claim(), "check")
    store.delete("pods", "pod", "check", grace_period_seconds=0)
    assert not store.exists("namespaces", "check")


def test_a_pod_is_bound_once(store: Store) -> None:
    store.create("pods", a_pod())
    bound = store.bind("pod", "default", "node-a")
    assert bound["status"]["conditions"][0]["type"] == "PodScheduled"
    with pytest.raises(Conflict, match='already assigned to node "node-a"'):
        store.bind("pod", "default", "node-b")


def test_a_container_can_use_only_claims_of_its_pod(store: Store) -> None:
    container = {"name": "main", "image": "none", "resources": {"claims": [{"name": "gpu"}]}}
    with pytest.raises(Invalid) as refused:
        store.create("pods", a_pod(containers=[container]))
    assert refused.value.causes[0]["field"] == "spec.containers[0].resources.claims[0]"


def test_every_change_is_in_the_history(store: Store, history: History) -> None:
    store.create("resourceslices", a_slice("s"))
    store.delete("resourceslices", "s")
    rows = [(event["type"], event["object"]["metadata"]["name"]) for event in history.events("api")][-2:]
    assert rows == [("ADDED", "s"), ("DELETED", "s")]
