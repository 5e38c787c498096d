"""Rights, and what dead runs have left, on a real API server."""

import base64
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import yaml

from conformance.cluster.api import Api, NotFound
from conformance.cluster.control_plane import ControlPlaneBackend
from conformance.cluster.existing import ExistingSettings, Unusable, own, preflight
from conformance.cluster.existing.choice import choose
from conformance.cluster.existing.preflight import need_dra
from conformance.cluster.existing.rights import NEEDED, Right, check_rights, missing_rights
from conformance.cluster.kubeconfig import Access, read_kubeconfig, write_kubeconfig
from conformance.cluster.wait import wait_for
from conformance.target import Target
from conformance.verdict import Inconclusive
from tests.control_plane.conftest import backend

__all__ = ["backend"]

ROLE = "/apis/rbac.authorization.k8s.io/v1/clusterroles"
BINDING = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings"


def account(backend: ControlPlaneBackend, name: str, rules: list[dict[str, Any]]) -> Access:
    """Credentials of a new service account with a cluster role of these rules."""
    backend.api.create("serviceaccounts", {"metadata": {"name": name}}, "default")
    backend.api.request("POST", ROLE, body={"metadata": {"name": name}, "rules": rules})
    subject = {"kind": "ServiceAccount", "name": name, "namespace": "default"}
    role = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": name}
    backend.api.request("POST", BINDING, body={"metadata": {"name": name}, "roleRef": role, "subjects": [subject]})
    path = f"/api/v1/namespaces/default/serviceaccounts/{name}/token"
    answer = backend.api.request("POST", path, body={"spec": {}})
    return replace(read_kubeconfig(backend.kubeconfig), token=answer["status"]["token"])


def everything() -> list[dict[str, Any]]:
    return [{"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]}, {"nonResourceURLs": ["*"], "verbs": ["*"]}]


def needed(left_out: tuple[str, str] = ("", "")) -> list[dict[str, Any]]:
    """Rules for just what a run needs, but for one (resource, verb)."""
    rules = []
    for right in NEEDED:
        verbs = [verb for verb in right.verbs if (right.resource, verb) != left_out]
        rules.append({"apiGroups": [right.group], "resources": [right.resource], "verbs": verbs})
    return rules


def client(access: Access) -> Api:
    return Api(access.server, access.ca_file, access=access)


@pytest.fixture(scope="module")
def access(backend: ControlPlaneBackend) -> Access:
    """An administrator of the cluster."""
    return account(backend, "administrator", everything())


@pytest.fixture
def ours(access: Access) -> Iterator[own.OwnApi]:
    api = own.OwnApi(access)
    yield api
    own.remove(api, api.run)
    api.close()


def test_nothing_is_missing_for_one_who_has_just_what_is_needed(backend: ControlPlaneBackend) -> None:
    assert missing_rights(client(account(backend, "just-enough", needed()))) == []


def test_a_missing_right_is_named_by_verb_and_resource(backend: ControlPlaneBackend) -> None:
    lacking = client(account(backend, "lacking", needed(("pods/exec", "create"))))
    assert missing_rights(lacking) == [Right("", "pods/exec", ("create",))]
    with pytest.raises(Unusable, match=r"may not create pods/exec: have it granted"):
        check_rights(lacking)


def test_everything_is_missing_for_one_without_rights(backend: ControlPlaneBackend) -> None:
    assert missing_rights(client(account(backend, "nobody", []))) == list(NEEDED)


def kubeconfig(path: Path, access: Access) -> Path:
    """A kubeconfig of one file, as an administrator hands it out."""
    write_kubeconfig(path, Access(access.server, None, access.token), "somebody")
    config = yaml.safe_load(path.read_text())
    ca = base64.b64encode((access.ca_data or "").encode()).decode()
    config["clusters"][0]["cluster"]["certificate-authority-data"] = ca
    path.write_text(yaml.safe_dump(config))
    return path


def said(path: Path, *nodes: str) -> str:
    lines: list[str] = []
    preflight(ExistingSettings(path, nodes), Target.load("reference"), lines.append)
    return "\n".join(lines)


def test_a_preflight_says_where_and_what_before_the_driver_is_looked_for(access: Access, tmp_path: Path) -> None:
    text = said(kubeconfig(tmp_path / "kubeconfig", access))
    assert f"context somebody of {tmp_path}/kubeconfig, {access.server}, Kubernetes v1." in text
    assert "get, list, watch resourceslices.resource.k8s.io" in text
    assert "no ResourceSlice of driver gpu.example.com on this cluster, there are none at all: install it first" in text


def test_a_preflight_ends_a_run_that_cannot_be(backend: ControlPlaneBackend, access: Access, tmp_path: Path) -> None:
    config = kubeconfig(tmp_path / "kubeconfig", access)
    with pytest.raises(Unusable, match="--node=no-such: the cluster has no such node; it has node-a"):
        said(config, "no-such")
    with pytest.raises(Unusable, match="may not list, create, delete namespaces; get, list, watch nodes; "):
        said(kubeconfig(tmp_path / "poor", account(backend, "poor", [])))
    with pytest.raises(Unusable, match="does not accept the credentials"):
        said(kubeconfig(tmp_path / "stranger", replace(access, token="wrong")))
    unreachable = said(kubeconfig(tmp_path / "away", replace(access, server="https://127.0.0.1:1")))
    assert "the API server https://127.0.0.1:1 cannot be reached" in unreachable


def test_what_is_created_is_labelled_and_goes_with_the_run(access: Access, ours: own.OwnApi) -> None:
    foreign = client(access)
    foreign.create("namespaces", {"metadata": {"name": "somebodys"}})
    name = ours.own_name("dra-" + "x" * 80)
    ours.create("namespaces", {"metadata": {"name": name}})
    ours.create("configmaps", {"metadata": {"name": "inside"}, "data": {}}, name)
    ours.create("deviceclasses", {"metadata": {"name": "ours.example.com"}, "spec": {}})
    own.remove(ours, ours.run)
    for resource, gone in (("namespaces", name), ("deviceclasses", "ours.example.com")):
        with pytest.raises(NotFound):
            foreign.get(resource, gone)
    assert foreign.get("namespaces", "somebodys")["status"]["phase"] == "Active"


def home(api: own.OwnApi) -> str:
    """The home of a run that has just begun."""
    name = api.own_name("dra-conformance")
    api.create("namespaces", {"metadata": {"name": name, "labels": {own.HOME: "true"}}})
    return name


def test_a_run_that_has_just_begun_is_left_alone(access: Access, ours: own.OwnApi, monkeypatch: Any) -> None:
    monkeypatch.setattr(own, "_DEAD_WITHIN", 0.5)
    home(ours)
    assert own.sweep(client(access), str) == []


def test_a_run_whose_pod_has_ended_is_removed(access: Access, backend: ControlPlaneBackend) -> None:
    dead, lines = own.OwnApi(access), list[str]()
    name = home(dead)
    dead.create("namespaces", {"metadata": {"name": dead.own_name("dra-check")}})
    dead.create("deviceclasses", {"metadata": {"name": "left.example.com"}, "spec": {}})
    spec = {"containers": [{"name": "main", "image": "x"}], "nodeName": "nowhere"}
    dead.create("pods", {"metadata": {"name": "node-0"}, "spec": spec}, name)
    ended = {"metadata": {"name": "node-0", "namespace": name}, "status": {"phase": "Succeeded"}}
    path = f"/api/v1/namespaces/{name}/pods/node-0/status"
    dead.request("PATCH", path, body=ended, content_type="application/merge-patch+json")
    assert own.sweep(client(access), lines.append) == [dead.run]
    assert f"removing what run {dead.run}, which was killed, has left" in lines
    left = client(access).list("deviceclasses", label_selector=own.RUN)["items"]
    assert left == client(access).list("namespaces", label_selector=own.RUN)["items"] == []


def test_the_node_with_the_driver_is_chosen(access: Access, ours: own.OwnApi) -> None:
    target = Target.load("reference")
    with pytest.raises(Inconclusive, match="install it first"):
        choose(ours, target, [])
    pool = {"name": "node-a", "generation": 1, "resourceSliceCount": 1}
    spec = {"driver": target.driver_name, "nodeName": "node-a", "pool": pool}
    ours.create("resourceslices", {"metadata": {"name": "slice"}, "spec": spec})
    wait_for(lambda: _ready(ours, "node-a"), "the node to be ready", timeout=20)
    assert [node["metadata"]["name"] for node in choose(ours, target, [])] == ["node-a"]
    ours.delete("resourceslices", "slice")


def _ready(api: Api, node: str) -> bool:
    conditions = (api.get("nodes", node).get("status") or {}).get("conditions") or ()
    return any(row["type"] == "Ready" and row["status"] == "True" for row in conditions)


def test_a_cluster_without_dra_is_told_so() -> None:
    def refused(*_: object) -> None:
        raise NotFound({"code": 404, "reason": "NotFound", "message": "404 page not found"})

    with pytest.raises(Unusable, match=r"https://a serves no resource\.k8s\.io/v1: Kubernetes 1\.34 or newer"):
        need_dra(cast(Api, SimpleNamespace(server="https://a", request=refused)))
