"""The API server's audit log on a node becomes `request` events."""

import json
from pathlib import Path
from typing import Any

import yaml

from conformance.cluster.kind.assets import asset
from conformance.cluster.kind.audit import PATH, AuditLog
from conformance.history import History


def line(code: int) -> str:
    event: dict[str, Any] = {
        "stage": "ResponseComplete",
        "verb": "create",
        "user": {"username": "system:serviceaccount:gpu-driver:gpu-driver"},
        "objectRef": {"resource": "resourceslices", "apiVersion": "v1"},
        "responseStatus": {"code": code},
        "requestURI": "/apis/x",
    }
    return json.dumps(event) + "\n"


def test_a_log_is_followed_over_its_rotation(tmp_path: Path) -> None:
    path, history = tmp_path / "audit.log", History()
    path.write_text(line(418))
    log = AuditLog(path, history)
    log.start()
    try:
        codes = []
        for code in (201, 422):
            with path.open("a") as file:
                file.write("{cut off\n" + line(code))
            event = history.wait("request", lambda e, code=code: e["code"] == code, timeout=10)  # type: ignore[misc]
            assert event
            codes.append((event["user"], event["verb"], event["code"]))
            path.rename(tmp_path / "audit-old.log")
            path.touch()
    finally:
        log.stop()
    assert codes == [("gpu-driver:gpu-driver", "create", 201), ("gpu-driver:gpu-driver", "create", 422)]
    assert len(list(history.events("request"))) == 2, "what was there before is of another run"


def test_the_patch_of_the_api_server_and_the_policy_fit() -> None:
    patch = yaml.safe_load(asset("api-server/patches/kube-apiserver+json.yaml").read_text())
    flags = [row["value"] for row in patch if isinstance(row["value"], str)]
    assert f"--audit-log-path={PATH}" in flags
    assert "--audit-policy-file=/dra-conformance/api-server/audit-policy.yaml" in flags
    assert yaml.safe_load(asset("api-server/audit-policy.yaml").read_text())["kind"] == "Policy"
