"""A cluster and a driver that exist in memory only, for runs of the plugin on tiny projects."""

import itertools
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from conformance.cluster import Answer, ClaimRef, Registration
from conformance.cluster.api import ApiError, NotFound
from conformance.history import History
from conformance.target import Target
from conformance.verdict import WaitTimeout

Object = dict[str, Any]

DRIVER = "fake.example.com"


class FakeApi:
    """Objects by resource, namespace and name."""

    def __init__(self, history: History) -> None:
        self.history = history
        self.objects: dict[tuple[str, str, str], Object] = {}
        self.stuck: set[str] = set()

    def create(self, resource: str, obj: Object, namespace: str | None = None) -> Object:
        metadata = {**obj["metadata"], "namespace": namespace or "", "uid": f"uid-{obj['metadata']['name']}"}
        obj = {**obj, "metadata": metadata}
        self.objects[resource, namespace or "", metadata["name"]] = obj
        self.history.record("api", type="ADDED", resource=resource, object=obj)
        return obj

    def get(self, resource: str, name: str, namespace: str | None = None) -> Object:
        try:
            return self.objects[resource, namespace or "", name]
        except KeyError:
            raise NotFound({"code": 404, "reason": "NotFound", "message": f"{resource} {name} not found"}) from None

    def list(self, resource: str, namespace: str | None = None, *, field_selector: str = "") -> Object:
        items = [o for (kind, ns, _), o in self.objects.items() if kind == resource and namespace in (None, ns)]
        return {"items": items}

    def delete(
        self, resource: str, name: str, namespace: str | None = None, *, grace_period_seconds: int | None = None
    ) -> Object:
        obj = self.get(resource, name, namespace)
        if name not in self.stuck or grace_period_seconds == 0:
            del self.objects[resource, namespace or "", name]
        return obj

    def patch(self, resource: str, name: str, patch: Object, namespace: str | None = None) -> Object:
        return self.get(resource, name, namespace)


class FakeCdi:
    """CDI files as a map of path to content."""

    def __init__(self) -> None:
        self.files: dict[Path, str] = {}

    def devices_for(self, text: str) -> list[str]:
        return [str(path) for path, content in self.files.items() if text in content]

    def snapshot(self) -> dict[Path, str]:
        return self.files


class FakeNode:
    """A node whose driver answers everything with success; FAKE_NODE=unseen: the kubelet's calls are not recorded."""

    name = hostname = "node-a"

    def __init__(self, history: History) -> None:
        self.history = history
        self.cdi = FakeCdi()
        self.sees_calls = os.environ.get("FAKE_NODE") != "unseen"
        self.numbers = itertools.count()

    def registrations(self, driver: str) -> Sequence[Registration]:
        return [Registration(driver, "/dra.sock", ("v1.DRAPlugin",), Path("/reg.sock"))]

    def prepare(self, *claims: ClaimRef, driver: str | None = None) -> Answer:
        return self._call("NodePrepareResources", claims, driver)

    def unprepare(self, *claims: ClaimRef, driver: str | None = None) -> Answer:
        return self._call("NodeUnprepareResources", claims, driver)

    def _call(self, method: str, claims: Sequence[ClaimRef], driver: str | None) -> Answer:
        event = self.history.record(
            "rpc",
            phase="end",
            id=next(self.numbers),
            method=method,
            driver=driver or DRIVER,
            request={"claims": [vars(claim) for claim in claims]},
            code="OK",
            details="",
            response={"claims": {claim.uid: {} for claim in claims}},
            seconds=0.001,
        )
        return Answer.from_event(event.data)


class FakeInstance:
    """A driver process that was never there."""

    uid = "pod-uid"
    node = "node-a"
    alive = True
    exit_status: int | None = None

    def log_tail(self, lines: int = 20) -> str:
        return "the driver says --token=sesame"


class FakeInstallation:
    """A driver that is ready and offers a device.

    FAKE_DRIVER=empty: it offers none; FAKE_DRIVER=late: it does once the first check has ended; FAKE_DRIVER=dead: it is
    never ready.
    """

    def __init__(self, target: Target, node: FakeNode, history: History) -> None:
        self.target = target
        self.node = node
        self.history = history
        self.instances: list[FakeInstance] = []

    def start(self) -> FakeInstance:
        instance = FakeInstance()
        self.instances.append(instance)
        if os.environ.get("FAKE_DRIVER") is None:
            self._publish()
        elif os.environ["FAKE_DRIVER"] == "late":
            threading.Thread(target=self._publish_late, daemon=True).start()
        return instance

    def _publish_late(self) -> None:
        if self.history.wait("check", lambda e: e["phase"] == "end", timeout=30):
            self._publish()

    def _publish(self) -> None:
        pool = {"driver": self.target.driver_name, "devices": [{"name": "gpu-0"}]}
        obj = {"metadata": {"name": "node-a-gpus", "uid": "slice-uid"}, "spec": pool}
        self.history.record("api", type="ADDED", resource="resourceslices", object=obj)

    def wait_ready(self, *, timeout: float | None = None) -> None:
        self.history.record("disturb", action=f"wait_ready {timeout:g}", node="node-a")
        if os.environ.get("FAKE_DRIVER") == "dead":
            raise WaitTimeout("the command ended with status 3; its log ends with:\nno such GPU")

    def restore(self) -> None:
        self.history.record("disturb", action="restore", node="node-a")


class FakeBackend:
    """A cluster in memory; FAKE_BACKEND=broken makes taking it down fail, and =away is one that cannot be reached."""

    kind = "embedded"
    image = "pause"

    def __init__(self, run_dir: Path, history: History) -> None:
        self.run_dir = run_dir
        self.history = history
        self.api = FakeApi(history)
        self.nodes = [FakeNode(history)]

    def start(self) -> None:
        self.history.record("disturb", action="start", node="node-a")

    def stop(self) -> None:
        if os.environ.get("FAKE_BACKEND") == "broken":
            raise RuntimeError("the fake cluster does not go down")

    def install(self, target: Target) -> FakeInstallation:
        return FakeInstallation(target, self.nodes[0], self.history)

    def describe(self) -> Object:
        if os.environ.get("FAKE_BACKEND") == "away":
            raise ApiError({"message": "nobody answers"})
        return {"kind": self.kind, "kubernetes": "v1.37.2"}
