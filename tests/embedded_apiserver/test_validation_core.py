"""Small objects of the core group: what is refused, and what is kept in step."""

from typing import Any

import pytest

from conformance.cluster.api import Api, Invalid
from conformance.cluster.embedded.apiserver import Store


def a_node(**spec: Any) -> dict[str, Any]:
    return {"metadata": {"name": "node-a"}, "spec": spec}


def test_one_range_of_addresses_and_the_list_of_them_say_the_same(store: Store) -> None:
    assert store.create("nodes", a_node(podCIDR="10.0.0.0/24"))["spec"]["podCIDRs"] == ["10.0.0.0/24"]


def test_a_range_of_addresses_stays(store: Store) -> None:
    store.create("nodes", a_node(podCIDR="10.0.0.0/24"))
    with pytest.raises(Invalid, match="may not change podCIDR"):
        store.update("nodes", a_node(podCIDR="10.0.1.0/24"))


def test_a_namespace_ends_by_its_deletion_only(store: Store) -> None:
    namespace = store.create("namespaces", {"metadata": {"name": "a"}})
    with pytest.raises(Invalid, match="may only be 'Active' if `deletionTimestamp` is empty"):
        store.update_status("namespaces", {**namespace, "status": {"phase": "Terminating"}})


def test_a_lease_has_no_strategy(store: Store) -> None:
    spec = {"holderIdentity": "me", "strategy": "OldestEmulationVersion"}
    assert store.create("leases", {"metadata": {"name": "a"}, "spec": spec}, "default")["spec"] == {
        "holderIdentity": "me"
    }


@pytest.mark.parametrize("plural", ["configmaps", "secrets"])
def test_a_mebibyte_is_the_most(store: Store, plural: str) -> None:
    key = "data" if plural == "configmaps" else "stringData"
    store.create(plural, {"metadata": {"name": "most"}, key: {"a": "x" * 2**20}}, "default")
    with pytest.raises(Invalid, match="Too long: may not be more than 1048576 bytes"):
        store.create(plural, {"metadata": {"name": "more"}, key: {"a": "x" * (2**20 + 1)}}, "default")


def test_what_is_immutable_stays(store: Store) -> None:
    settings = store.create("configmaps", {"metadata": {"name": "a"}, "immutable": True, "data": {"a": "b"}}, "default")
    with pytest.raises(Invalid, match="field is immutable when `immutable` is set"):
        store.update("configmaps", {**settings, "data": {"a": "c"}})


def test_newer_events_say_when(api: Api) -> None:
    event = {
        "apiVersion": "events.k8s.io/v1",
        "kind": "Event",
        "metadata": {"name": "without-a-time"},
        "type": "Normal",
        "regarding": {"namespace": "default"},
    }
    with pytest.raises(Invalid) as refused:
        api.request("POST", "/apis/events.k8s.io/v1/namespaces/default/events", body=event)
    assert [cause["field"] for cause in refused.value.causes] == ["eventTime"]
