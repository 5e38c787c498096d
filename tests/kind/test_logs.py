"""Logs that stay with the report."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from conformance.cluster.kind import logs
from conformance.cluster.kind.instance import DriverPod
from conformance.verdict import Inconclusive

HELD = "var/log/dra-conformance"
BEGAN = datetime(2026, 7, 1, 10, tzinfo=UTC).timestamp()


class NodeInFolder:
    """A node whose file system is a folder; `journal` is what its kubelet logged."""

    name = "worker"

    def __init__(self, root: Path, journal: str | Inconclusive) -> None:
        self.root = root
        self._journal = journal
        (root / HELD).mkdir(parents=True)

    def host_path(self, path: str) -> Path:
        return self.root / path.lstrip("/")

    def exec(self, *argv: str, **_: Any) -> str:
        if isinstance(self._journal, Inconclusive):
            raise self._journal
        return self._journal

    def log(self, namespace: str, pod: str, number: int, text: str) -> DriverPod:
        folder = self.root / f"var/log/pods/{namespace}_{pod}_uid/driver"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{number}.log").write_text(text)
        return DriverPod("uid", pod, namespace, "driver", self.name, folder)


class Events:
    def list(self, plural: str) -> dict[str, Any]:
        def event(kind: str, name: str, namespace: str, when: str) -> dict[str, Any]:
            about = {"kind": kind, "name": name}
            facts = {"type": "Normal", "reason": "Seen", "message": "token=abcdefgh12\n", "lastTimestamp": when}
            return {"metadata": {"namespace": namespace}, "involvedObject": about, **facts}

        assert plural == "events"
        return {
            "items": [
                event("Pod", "gpu-driver-x", "gpu-driver", "2026-07-01T10:00:02Z"),
                event("Pod", "gpu-driver-w", "gpu-driver", "2026-07-01T09:59:59Z"),
                event("Node", "worker", "default", "2026-07-01T10:00:01Z"),
                event("Node", "other", "default", "2026-07-01T10:00:01Z"),
                event("Pod", "user", "check", "2026-07-01T10:00:01Z"),
            ]
        }


def collect(node: Any, folder: Path) -> dict[str, str]:
    folder.mkdir()
    api: Any = Events()
    logs.collect([node], api, ["gpu-driver"], BEGAN, folder)
    return {path.name: path.read_text() for path in folder.iterdir()}


def test_logs_of_kubelet_and_driver_are_kept_without_secrets(tmp_path: Path) -> None:
    node = NodeInFolder(tmp_path / "node", "Authorization: Bearer abcdefghijkl\nstarted\n")
    gone = node.log("gpu-driver", "gpu-driver-a", 0, "last words, password=hunter22\n")
    logs.hold(gone, node)
    (gone.logs / "0.log").unlink()
    node.log("gpu-driver", "gpu-driver-b", 3, "alive\n")
    node.log("check", "user", 0, "not of the driver\n")
    found = collect(node, tmp_path / "logs")
    assert sorted(found) == [
        "events.log",
        "gpu-driver-a-driver-0.log",
        "gpu-driver-b-driver-3.log",
        "kubelet-worker.log",
    ]
    assert found["kubelet-worker.log"] == "Authorization: [redacted]\nstarted\n"
    assert found["gpu-driver-a-driver-0.log"] == "last words, password=[redacted]\n"
    assert found["events.log"].splitlines() == [
        "2026-07-01T10:00:01Z Normal Seen Node worker: token=[redacted]",
        "2026-07-01T10:00:02Z Normal Seen Pod gpu-driver-x: token=[redacted]",
    ]


def test_of_a_long_log_the_end_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "_MOST", 6)
    node = NodeInFolder(tmp_path / "node", "much of it\nend\n")
    node.log("gpu-driver", "a", 0, "much\nends\n")
    found = collect(node, tmp_path / "logs")
    assert found["kubelet-worker.log"] == "t\nend\n"
    assert found["a-driver-0.log"] == "\nends\n"


def test_a_log_that_cannot_be_had_is_told(tmp_path: Path) -> None:
    node = NodeInFolder(tmp_path / "node", Inconclusive("cannot read the kubelet's log: the node is off"))
    assert collect(node, tmp_path / "logs")["kubelet-worker.log"] == "cannot read the kubelet's log: the node is off\n"
