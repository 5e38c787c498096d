"""The audit log becomes `request` events: only of those who are not part of the cluster, each once."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
import yaml

from conformance.cluster.control_plane.audit import AuditLog
from conformance.history import History

DRIVER = {
    "username": "system:serviceaccount:dra-driver:driver",
    "extra": {"authentication.kubernetes.io/node-name": ["node-a"]},
}


@pytest.fixture
def log(tmp_path: Path) -> AuditLog:
    log = AuditLog(tmp_path, History(), service_accounts="dra-driver", trusted=["system:kube-scheduler"])
    log.start()
    return log


def read(log: AuditLog, *events: dict[str, Any], rest: str = "") -> list[dict[str, Any]]:
    with log.path.open("w") as file:
        file.write("".join(json.dumps(event) + "\n" for event in events) + rest)
    log.stop()
    return [event.data for event in log._history.events("request")]


def event(verb: str, stage: str = "ResponseComplete", code: int = 200, **more: Any) -> dict[str, Any]:
    about = {"resource": "resourceslices", "apiGroup": "resource.k8s.io", "apiVersion": "v1"}
    status = {"code": code, **more}
    return {
        "stage": stage,
        "verb": verb,
        "user": DRIVER,
        "objectRef": about,
        "responseStatus": status,
        "requestURI": "/apis/x?limit=1",
        "userAgent": "go",
    }


def test_a_request_is_told_as_by_the_embedded_server(log: AuditLog) -> None:
    refused = event("create", code=422, message="spec.devices: Too many: 200")
    assert read(log, refused) == [
        {
            "user": "driver",
            "node": "node-a",
            "verb": "create",
            "resource": "resourceslices",
            "version": "v1",
            "namespace": "",
            "name": "",
            "code": 422,
            "message": "spec.devices: Too many: 200",
            "user_agent": "go",
        }
    ]


def test_a_watch_counts_once_when_it_begins_or_is_refused(log: AuditLog) -> None:
    rows = [event("watch", "ResponseStarted"), event("watch"), event("watch", code=403)]
    assert [row["code"] for row in read(log, *rows)] == [200, 403]


def test_paths_that_are_no_objects_and_subresources(log: AuditLog) -> None:
    path, status = event("get"), event("patch")
    del path["objectRef"]
    status["objectRef"] = {"resource": "resourceclaims", "subresource": "status", "namespace": "a", "name": "b"}
    assert [row["resource"] for row in read(log, path, status)] == ["/apis/x", "resourceclaims/status"]


def test_a_line_that_was_cut_off_is_passed_by(log: AuditLog) -> None:
    assert len(read(log, event("get"), rest='{"stage": "Respo')) == 1


def test_the_policy_leaves_out_the_cluster_itself(log: AuditLog) -> None:
    policy = yaml.safe_load(log.policy.read_text())
    assert [rule["level"] for rule in policy["rules"]] == ["None", "None", "None", "Metadata"]
    assert policy["rules"][0]["users"] == ["system:kube-scheduler"]
    assert os.stat(log.path).st_mode & 0o777 == 0o600
    log.stop()
