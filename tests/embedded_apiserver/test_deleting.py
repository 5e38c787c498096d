"""What becomes of what is deleted, and of what belongs to it."""

import pytest

from conformance.cluster.api import Api, Conflict, Invalid, NotFound
from conformance.cluster.embedded.apiserver import ApiServer
from tests.embedded_apiserver.objects import a_slice

SLICES = "/apis/resource.k8s.io/v1/resourceslices"


@pytest.mark.parametrize(
    ("policy", "finalizers"), [("Foreground", ["foregroundDeletion"]), ("Orphan", ["orphan"]), ("Background", None)]
)
def test_the_garbage_collector_holds_it(api: Api, server: ApiServer, policy: str, finalizers: list[str] | None) -> None:
    name = policy.lower()
    api.create("resourceslices", a_slice(name))
    deleted = api.request("DELETE", f"{SLICES}/{name}", body={"propagationPolicy": policy})
    assert deleted["metadata"].get("finalizers") == finalizers
    assert server.store.exists("resourceslices", name) is bool(finalizers)


def test_a_dry_run_deletes_nothing(api: Api) -> None:
    api.create("resourceslices", a_slice("dry-delete"))
    api.request("DELETE", f"{SLICES}/dry-delete", query={"dryRun": "All"})
    api.request("DELETE", SLICES, query={"dryRun": "All", "fieldSelector": "metadata.name=dry-delete"})
    assert api.get("resourceslices", "dry-delete")


def test_some_kinds_answer_with_a_status(api: Api) -> None:
    made = api.create("configmaps", {"metadata": {"name": "status"}}, "default")
    deleted = api.delete("configmaps", "status", "default")
    assert (deleted["kind"], deleted["status"]) == ("Status", "Success")
    assert deleted["details"] == {"name": "status", "kind": "configmaps", "uid": made["metadata"]["uid"]}


def test_options_that_there_are_not(api: Api) -> None:
    with pytest.raises(Invalid, match='propagationPolicy: Unsupported value: "Never"'):
        api.request("DELETE", f"{SLICES}/any", body={"propagationPolicy": "Never"})


def test_a_precondition_that_does_not_hold(api: Api) -> None:
    api.create("resourceslices", a_slice("sure"))
    with pytest.raises(Conflict, match="does not match the ResourceVersion in record"):
        api.request("DELETE", f"{SLICES}/sure", body={"preconditions": {"resourceVersion": "1"}})
    with pytest.raises(NotFound):
        api.delete("resourceslices", "unsure", uid="any")
