"""The four kinds of patches."""

from typing import Any

import pytest

from conformance.cluster.api import ApiError, BadRequest, Conflict
from conformance.cluster.embedded.apiserver import Store
from conformance.cluster.embedded.apiserver.managed import Manager
from conformance.cluster.embedded.apiserver.patch import Patch
from conformance.cluster.resources import RESOURCES
from tests.embedded_apiserver.objects import a_pod, a_slice

Object = dict[str, Any]


def test_merge_patch_deletes_with_null_and_replaces_lists(store: Store) -> None:
    store.create("resourceslices", a_slice("s"))
    patch = {"metadata": {"labels": {"a": "b"}}, "spec": {"devices": [{"name": "gpu-7"}]}}
    patched = change(store, "resourceslices", "s", patch)
    assert [device["name"] for device in patched["spec"]["devices"]] == ["gpu-7"]
    assert "labels" not in change(store, "resourceslices", "s", {"metadata": {"labels": None}})["metadata"]


def test_a_null_in_an_object_of_a_new_list_is_left_out(store: Store) -> None:
    store.create("resourceslices", a_slice("s"))
    attributes = {"model": None, "index": {"int": 1}}
    patched = change(store, "resourceslices", "s", {"spec": {"devices": [{"name": "d", "attributes": attributes}]}})
    assert patched["spec"]["devices"] == [{"name": "d", "attributes": {"index": {"int": 1}}}]


def test_a_patch_with_an_old_version_is_a_conflict(store: Store) -> None:
    store.create("resourceslices", a_slice("s"))
    with pytest.raises(Conflict):
        change(store, "resourceslices", "s", {"metadata": {"resourceVersion": "1", "labels": {"a": "b"}}})


def test_json_patch(store: Store) -> None:
    store.create("resourceslices", a_slice("s"))
    operations = [
        {"op": "test", "path": "/spec/devices/0/name", "value": "gpu-0"},
        {"op": "add", "path": "/spec/devices/-", "value": {"name": "gpu-1"}},
        {"op": "add", "path": "/metadata/annotations", "value": {"a/b": "c"}},
        {"op": "copy", "from": "/metadata/annotations/a~1b", "path": "/metadata/annotations/d"},
    ]
    patched = change(store, "resourceslices", "s", operations, "json")
    assert [device["name"] for device in patched["spec"]["devices"]] == ["gpu-0", "gpu-1"]
    assert patched["metadata"]["annotations"] == {"a/b": "c", "d": "c"}


def test_a_json_patch_that_does_not_apply_changes_nothing(store: Store) -> None:
    before = store.create("resourceslices", a_slice("s"))
    bad = [{"op": "remove", "path": "/metadata/uid"}, {"op": "test", "path": "/spec/driver", "value": "other"}]
    with pytest.raises(ApiError, match="rejected our request") as refused:
        change(store, "resourceslices", "s", bad, "json")
    assert refused.value.status == 422
    assert store.get("resourceslices", "s") == before
    with pytest.raises(BadRequest):
        change(store, "resourceslices", "s", {"op": "add"}, "json")


def test_a_json_patch_has_a_limit(store: Store) -> None:
    store.create("resourceslices", a_slice("s"))
    many = [{"op": "test", "path": "/kind", "value": "ResourceSlice"}] * 10_001
    with pytest.raises(ApiError, match="10000, got 10001") as refused:
        change(store, "resourceslices", "s", many, "json")
    assert refused.value.status == 413


def test_strategic_patch_merges_lists_by_their_key(store: Store) -> None:
    store.create("pods", a_pod())
    conditions = [{"type": "Ready", "status": "False"}, {"type": "PodScheduled", "status": "True"}]
    for condition in (*conditions, {"type": "Ready", "status": "True"}):
        pod = change_status(store, {"status": {"conditions": [condition]}}, "strategic")
    assert [(row["type"], row["status"]) for row in pod["status"]["conditions"]] == [
        ("PodScheduled", "True"),
        ("Ready", "True"),
    ]
    pod = change_status(store, {"status": {"conditions": [{"$patch": "delete", "type": "Ready"}]}}, "strategic")
    assert [row["type"] for row in pod["status"]["conditions"]] == ["PodScheduled"]


def test_an_item_without_the_key_of_its_list_is_an_error_that_kubernetes_did_not_expect(store: Store) -> None:
    store.create("pods", a_pod("p"), "default")
    with pytest.raises(ApiError, match=r"map: map\[image:x\] does not contain declared merge key: name") as refusal:
        change(store, "pods", "p", {"spec": {"containers": [{"image": "x"}]}}, "strategic")
    assert (refusal.value.status, refusal.value.reason) == (500, "")


def test_strategic_patch_sets_the_order_of_a_list(store: Store) -> None:
    rows = [{"type": name, "status": "True"} for name in ("A", "B", "C")]
    store.create("pods", a_pod())
    change_status(store, {"status": {"conditions": rows}}, "strategic")
    order = {"$setElementOrder/conditions": [{"type": "C"}, {"type": "A"}]}
    pod = change_status(store, {"status": order}, "strategic")
    assert [row["type"] for row in pod["status"]["conditions"]] == ["B", "C", "A"]


def test_finalizers_are_a_set_for_strategic_patches(store: Store) -> None:
    store.create("pods", a_pod())
    for name in ("example.com/a", "example.com/b", "example.com/a"):
        pod = change(store, "pods", "pod", {"metadata": {"finalizers": [name]}}, "strategic")
    assert pod["metadata"]["finalizers"] == ["example.com/b", "example.com/a"]


def test_apply_creates_and_takes_back_what_is_no_longer_applied(store: Store) -> None:
    created = labelled(store, {"a": "1", "b": "2"})
    assert created["metadata"]["labels"] == {"a": "1", "b": "2"}
    assert owners(created) == {("me", "Apply"): {"f:labels": {"f:a": {}, "f:b": {}}}}
    change(store, "nodes", "n", {"metadata": {"labels": {"c": "3"}}}, manager="she")
    applied = labelled(store, {"a": "1"})
    assert applied["metadata"]["labels"] == {"a": "1", "c": "3"}
    assert owners(applied) == {
        ("me", "Apply"): {"f:labels": {"f:a": {}}},
        ("she", "Update"): {"f:labels": {"f:c": {}}},
    }


def test_apply_keeps_what_another_manager_applied(store: Store) -> None:
    labelled(store, {"a": "1"})
    labelled(store, {"a": "1"}, manager="other")
    assert labelled(store, {})["metadata"]["labels"] == {"a": "1"}


def test_apply_does_not_take_what_another_manager_owns(store: Store) -> None:
    labelled(store, {"a": "1"})
    text = 'Apply failed with 1 conflict: conflict with "me": .metadata.labels.a'
    with pytest.raises(Conflict, match=text) as refused:
        labelled(store, {"a": "2"}, manager="other")
    assert refused.value.body["details"]["causes"] == [
        {"reason": "FieldManagerConflict", "message": 'conflict with "me"', "field": ".metadata.labels.a"}
    ]


def test_apply_takes_it_by_force(store: Store) -> None:
    labelled(store, {"a": "1", "b": "1"})
    applied = labelled(store, {"a": "2"}, manager="other", force=True)
    assert applied["metadata"]["labels"] == {"a": "2", "b": "1"}
    assert owners(applied) == {
        ("me", "Apply"): {"f:labels": {"f:b": {}}},
        ("other", "Apply"): {"f:labels": {"f:a": {}}},
    }


def test_an_update_takes_what_it_changes(store: Store) -> None:
    labelled(store, {"a": "1", "b": "1"})
    changed = change(store, "nodes", "n", {"metadata": {"labels": {"a": "2", "b": "1"}}}, manager="she")
    assert owners(changed) == {
        ("me", "Apply"): {"f:labels": {"f:b": {}}},
        ("she", "Update"): {"f:labels": {"f:a": {}}},
    }


def test_applying_the_same_again_is_no_change(store: Store) -> None:
    config = {"status": {"resourceClaimStatuses": [{"name": "gpu", "resourceClaimName": "c"}]}}
    store.create("pods", with_claims("gpu"))
    rows = [change_status(store, config, "apply", manager="controller") for _ in range(2)]
    assert rows[0] == rows[1]


def test_apply_merges_keyed_lists(store: Store) -> None:
    store.create("pods", with_claims("one", "two"))
    for name in ("one", "two"):
        config = {"status": {"resourceClaimStatuses": [{"name": name, "resourceClaimName": name}]}}
        pod = change_status(store, config, "apply", manager=name)
    assert [row["name"] for row in pod["status"]["resourceClaimStatuses"]] == ["one", "two"]


def with_claims(*names: str) -> Object:
    return a_pod(resourceClaims=[{"name": name, "resourceClaimTemplateName": "t"} for name in names])


def change(
    store: Store,
    resource: str,
    name: str,
    body: Any,
    type: str = "merge",
    *,
    manager: str = "test",
    status: bool = False,
) -> Object:
    row, subresource = RESOURCES[resource], "status" if status else ""
    who = Manager(manager, "Apply" if type == "apply" else "Update", row.api_version, subresource)
    namespace = "default" if row.namespaced else None
    return store.patch(resource, name, Patch(type, body, who), namespace, subresource=subresource)


def change_status(store: Store, body: Object, type: str, manager: str = "test") -> Object:
    return change(store, "pods", "pod", body, type, manager=manager, status=True)


def labelled(store: Store, labels: Object, manager: str = "me", *, force: bool = False) -> Object:
    who = Manager(manager, "Apply", "v1")
    return store.patch("nodes", "n", Patch("apply", {"metadata": {"name": "n", "labels": labels}}, who, force))


def owners(obj: Object) -> dict[tuple[str, str], Any]:
    return {
        (row["manager"], row["operation"]): row["fieldsV1"]["f:metadata"] for row in obj["metadata"]["managedFields"]
    }
