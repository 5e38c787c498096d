"""The four kinds of patches."""

import pytest

from conformance.cluster.api import ApiError, BadRequest, Conflict
from conformance.cluster.embedded.apiserver import Store
from tests.embedded_apiserver.objects import a_pod, a_slice


def test_merge_patch_deletes_with_null_and_replaces_lists(store: Store) -> None:
    store.create("resourceslices", a_slice("s"))
    patch = {"metadata": {"labels": {"a": "b"}}, "spec": {"devices": [{"name": "gpu-7"}]}}
    patched = store.patch("resourceslices", "s", patch)
    assert [device["name"] for device in patched["spec"]["devices"]] == ["gpu-7"]
    assert "labels" not in store.patch("resourceslices", "s", {"metadata": {"labels": None}})["metadata"]


def test_a_patch_with_an_old_version_is_a_conflict(store: Store) -> None:
    store.create("resourceslices", a_slice("s"))
    with pytest.raises(Conflict):
        store.patch("resourceslices", "s", {"metadata": {"resourceVersion": "1", "labels": {"a": "b"}}})


def test_json_patch(store: Store) -> None:
    store.create("resourceslices", a_slice("s"))
    patched = store.patch(
        "resourceslices",
        "s",
        [
            {"op": "test", "path": "/spec/devices/0/name", "value": "gpu-0"},
            {"op": "add", "path": "/spec/devices/-", "value": {"name": "gpu-1"}},
            {"op": "add", "path": "/metadata/annotations", "value": {"a/b": "c"}},
            {"op": "copy", "from": "/metadata/annotations/a~1b", "path": "/metadata/annotations/d"},
        ],
        kind="json",
    )
    assert [device["name"] for device in patched["spec"]["devices"]] == ["gpu-0", "gpu-1"]
    assert patched["metadata"]["annotations"] == {"a/b": "c", "d": "c"}


def test_a_json_patch_that_does_not_apply_changes_nothing(store: Store) -> None:
    before = store.create("resourceslices", a_slice("s"))
    bad = [{"op": "remove", "path": "/metadata/uid"}, {"op": "test", "path": "/spec/driver", "value": "other"}]
    with pytest.raises(ApiError, match="test failed") as refused:
        store.patch("resourceslices", "s", bad, kind="json")
    assert refused.value.status == 422
    assert store.get("resourceslices", "s") == before
    with pytest.raises(BadRequest):
        store.patch("resourceslices", "s", {"op": "add"}, kind="json")


def test_strategic_patch_merges_lists_by_their_key(store: Store) -> None:
    store.create("pods", a_pod())
    conditions = [{"type": "Ready", "status": "False"}, {"type": "PodScheduled", "status": "True"}]
    for condition in (*conditions, {"type": "Ready", "status": "True"}):
        pod = store.patch(
            "pods", "pod", {"status": {"conditions": [condition]}}, "default", kind="strategic", subresource="status"
        )
    assert [(row["type"], row["status"]) for row in pod["status"]["conditions"]] == [
        ("Ready", "True"),
        ("PodScheduled", "True"),
    ]
    drop = {"status": {"conditions": [{"$patch": "delete", "type": "Ready"}]}}
    pod = store.patch("pods", "pod", drop, "default", kind="strategic", subresource="status")
    assert [row["type"] for row in pod["status"]["conditions"]] == ["PodScheduled"]


def test_finalizers_are_a_set_for_strategic_patches(store: Store) -> None:
    store.create("pods", a_pod())
    for name in ("example.com/a", "example.com/b", "example.com/a"):
        pod = store.patch("pods", "pod", {"metadata": {"finalizers": [name]}}, "default", kind="strategic")
    assert pod["metadata"]["finalizers"] == ["example.com/a", "example.com/b"]


def test_apply_creates_and_takes_back_what_is_no_longer_applied(store: Store) -> None:
    config = {"metadata": {"name": "n", "labels": {"a": "1", "b": "2"}}}
    created = store.patch("nodes", "n", config, kind="apply", manager="me")
    assert created["metadata"]["labels"] == {"a": "1", "b": "2"}
    assert created["metadata"]["managedFields"][0]["manager"] == "me"
    store.patch("nodes", "n", {"metadata": {"labels": {"c": "3"}}})
    applied = store.patch("nodes", "n", {"metadata": {"labels": {"a": "1"}}}, kind="apply", manager="me")
    assert applied["metadata"]["labels"] == {"a": "1", "c": "3"}


def test_apply_keeps_what_another_manager_applied(store: Store) -> None:
    store.patch("nodes", "n", {"metadata": {"labels": {"a": "1"}}}, kind="apply", manager="me")
    store.patch("nodes", "n", {"metadata": {"labels": {"a": "1"}}}, kind="apply", manager="other")
    applied = store.patch("nodes", "n", {"metadata": {}}, kind="apply", manager="me")
    assert applied["metadata"]["labels"] == {"a": "1"}


def test_applying_the_same_again_is_no_change(store: Store) -> None:
    config = {"status": {"resourceClaimStatuses": [{"name": "gpu", "resourceClaimName": "c"}]}}
    store.create("pods", a_pod())
    rows = [
        store.patch("pods", "pod", config, "default", kind="apply", subresource="status", manager="controller")
        for _ in range(2)
    ]
    assert rows[0] == rows[1]


def test_apply_merges_keyed_lists(store: Store) -> None:
    store.create("pods", a_pod())
    for name in ("one", "two"):
        config = {"status": {"resourceClaimStatuses": [{"name": name, "resourceClaimName": name}]}}
        pod = store.patch("pods", "pod", config, "default", kind="apply", subresource="status", manager=name)
    assert [row["name"] for row in pod["status"]["resourceClaimStatuses"]] == ["one", "two"]
