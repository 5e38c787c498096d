"""What is put on a cluster beside the driver's own objects, with the tap and without."""

from typing import Any

import pytest

from conformance.cluster.kind.deploying import deploy
from conformance.target import Target

KINDS = {
    "/api/v1": ["Namespace"],
    "/apis/apps/v1": ["DaemonSet"],
    "/apis/admissionregistration.k8s.io/v1": ["MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding"],
}
DAEMON_SET = {"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": {"name": "driver", "namespace": "driver"}}


class Api:
    """Takes everything; pods that are tried out meet the shadow folder."""

    def __init__(self, shadow: str) -> None:
        self.applied: list[dict[str, Any]] = []
        self._shadow = shadow

    def request(self, method: str, path: str, *, body: Any = None, **_: Any) -> dict[str, Any]:
        if path == "/version":
            return {"major": "1", "minor": "37"}
        if method == "GET":
            return {"resources": [{"kind": k, "name": k.lower(), "namespaced": k == "DaemonSet"} for k in KINDS[path]]}
        if method == "POST":
            return {"spec": {"volumes": [{"hostPath": {"path": self._shadow}}]}}
        self.applied.append(body)
        return dict(body)

    def create(self, resource: str, obj: dict[str, Any]) -> dict[str, Any]:
        return obj


@pytest.mark.parametrize("shadow", ["/shadow", ""])
def test_pods_are_let_be_without_the_tap(shadow: str) -> None:
    api: Any = Api(shadow)
    deploy(api, Target.load("reference"), [], [DAEMON_SET], shadow)
    labels = [obj["metadata"].get("labels", {}) for obj in api.applied if obj["kind"] == "Namespace"]
    policies = [obj for obj in api.applied if "Admission" in obj["kind"]]
    assert (bool(labels[0]), len(policies)) == ((True, 2) if shadow else (False, 0))
    assert api.applied[-1] == DAEMON_SET
