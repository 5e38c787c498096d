"""What checks hold in their hands: a Cluster with a namespace of the check's own, its Pods and Claims."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import yaml

from conformance.cluster.answer import Answer, ClaimRef
from conformance.cluster.api import Api, NotFound
from conformance.cluster.protocol import Backend, ContainerView, Node
from conformance.cluster.wait import wait_for
from conformance.history import History
from conformance.target import Target

Object = dict[str, Any]

_RESOURCES = {
    "Pod": "pods",
    "ResourceClaim": "resourceclaims",
    "ResourceClaimTemplate": "resourceclaimtemplates",
    "DeviceClass": "deviceclasses",
    "ResourceSlice": "resourceslices",
}
_VARIABLE = re.compile(r"\$\{(\w+)\}")


@dataclass(frozen=True)
class Allocated:
    """One device of a claim's allocation (DeviceRequestAllocationResult)."""

    request: str
    driver: str
    pool: str
    device: str

    def facts(self, claim_uid: str) -> dict[str, str]:
        """What patterns of a driver file may refer to: driver, pool, device, request, claim_uid."""
        request = self.request.partition("/")[0]
        return {**asdict(self), "request": request, "claim_uid": claim_uid}


class Claim:
    """A ResourceClaim of a check."""

    def __init__(self, cluster: "Cluster", obj: Object) -> None:
        self.cluster = cluster
        self.name: str = obj["metadata"]["name"]
        self.namespace: str = obj["metadata"]["namespace"]
        self.uid: str = obj["metadata"]["uid"]

    @property
    def ref(self) -> ClaimRef:
        """The claim as a driver is told it."""
        return ClaimRef(self.namespace, self.name, self.uid)

    def get(self) -> Object:
        """The object as it is now."""
        return self.cluster.api.get("resourceclaims", self.name, self.namespace)

    def devices(self, driver: str | None = None) -> list[Allocated]:
        """Allocated devices in the order of the results; [] while it is not allocated."""
        results = ((self.get().get("status") or {}).get("allocation") or {}).get("devices", {}).get("results", [])
        rows = [Allocated(r["request"], r["driver"], r["pool"], r["device"]) for r in results]
        return [row for row in rows if driver in (None, row.driver)]

    def wait_allocated(self, timeout: float = 20) -> list[Allocated]:
        """Wait until it is allocated. Raises WaitTimeout."""
        return wait_for(self.devices, f"claim {self.namespace}/{self.name} to be allocated", timeout=timeout)

    def delete(self) -> None:
        """Ask the API server to delete it; waits for nothing."""
        self.cluster.api.delete("resourceclaims", self.name, self.namespace)


class Pod:
    """A pod of a check."""

    def __init__(self, cluster: "Cluster", obj: Object) -> None:
        self.cluster = cluster
        self.name: str = obj["metadata"]["name"]
        self.namespace: str = obj["metadata"]["namespace"]
        self.uid: str = obj["metadata"]["uid"]

    def get(self) -> Object:
        """The object as it is now."""
        return self.cluster.api.get("pods", self.name, self.namespace)

    @property
    def phase(self) -> str:
        """Pending, Running, Succeeded or Failed."""
        return str((self.get().get("status") or {}).get("phase", "Pending"))

    def claim(self, pod_claim: str) -> Claim:
        """The claim behind an entry of spec.resourceClaims, waited for where it is made from a template."""
        return wait_for(
            lambda: self._claim(pod_claim), f"claim {pod_claim!r} of pod {self.name} to be created", timeout=20
        )

    def _claim(self, pod_claim: str) -> Claim | None:
        pod = self.get()
        entry = next(e for e in pod["spec"]["resourceClaims"] if e["name"] == pod_claim)
        name = entry.get("resourceClaimName")
        for status in (pod.get("status") or {}).get("resourceClaimStatuses", []):
            if status["name"] == pod_claim:
                name = status.get("resourceClaimName")
        return self.cluster.claim(name) if name else None

    def wait_prepared(self, pod_claim: str, timeout: float = 60) -> Answer:
        """The driver's first answer to Prepare for this claim, good or bad. Raises WaitTimeout without one."""
        claim = self.claim(pod_claim)
        claim.wait_allocated()
        return self.cluster.wait_answer("NodePrepareResources", claim.uid, timeout=timeout)

    def wait_running(self, timeout: float = 60) -> "Pod":
        """Wait until its containers run. Raises WaitTimeout with what it hangs on."""
        wait_for(lambda: self.phase == "Running", f"pod {self.name} to run", timeout=timeout, otherwise=self.trouble)
        return self

    def trouble(self) -> str:
        """What the pod hangs on, in one line: its condition, waiting reason and last event."""
        status = self.get().get("status") or {}
        lines = [c.get("message", "") for c in status.get("conditions", []) if c.get("status") == "False"]
        for container in status.get("containerStatuses", []):
            waiting = (container.get("state") or {}).get("waiting") or {}
            lines.append(f"{waiting.get('reason', '')}: {waiting.get('message', '')}")
        lines += [event.get("message", "") for event in self.events()[-1:]]
        return "; ".join(line for line in lines if line.strip(": ")) or "no condition and no event yet"

    def events(self) -> list[Object]:
        """Events about the pod, oldest first."""
        rows = self.cluster.api.list("events", self.namespace)["items"]
        return [event for event in rows if event.get("involvedObject", {}).get("uid") == self.uid]

    def container(self, name: str = "main") -> ContainerView:
        """What a started container sees."""
        return self.cluster.node.container(self.uid, name)

    def delete(self, *, wait: bool = True, timeout: float = 60) -> None:
        """Delete it; by default wait until it is gone. Raises WaitTimeout."""
        self.cluster.api.delete("pods", self.name, self.namespace)
        if wait:
            self.wait_gone(timeout)

    def wait_gone(self, timeout: float = 60) -> None:
        """Wait until it is gone. Raises WaitTimeout."""
        wait_for(self._gone, f"pod {self.name} to be gone", timeout=timeout, otherwise=self.trouble)

    def _gone(self) -> bool:
        try:
            return bool(self.get()["metadata"]["uid"] != self.uid)
        except NotFound:
            return True


class Applied:
    """The objects of one manifest after `apply`."""

    def __init__(self, cluster: "Cluster", objects: Sequence[Object]) -> None:
        self.cluster = cluster
        self.objects = objects

    def _named(self, kind: str, name: str) -> Object:
        return next(o for o in self.objects if o["kind"] == kind and o["metadata"]["name"] == name)

    def pod(self, name: str) -> Pod:
        """The pod of that name."""
        return Pod(self.cluster, self._named("Pod", name))

    def claim(self, name: str) -> Claim:
        """The claim of that name."""
        return Claim(self.cluster, self._named("ResourceClaim", name))


class Cluster:
    """One check's view of the cluster: a namespace of its own, and manifests from the check's folder."""

    def __init__(self, backend: Backend, target: Target, namespace: str, folder: Path) -> None:
        self.backend = backend
        self.target = target
        self.namespace = namespace
        self.folder = folder
        self.cluster_scoped: list[tuple[str, str]] = []

    @property
    def api(self) -> Api:
        """The client of its API server."""
        return self.backend.api

    @property
    def history(self) -> History:
        """The run's history."""
        return self.backend.history

    @property
    def node(self) -> Node:
        """The node that the driver under test runs on."""
        return self.backend.nodes[0]

    def apply(self, manifest: str, **variables: Any) -> Applied:
        """Create the objects of a manifest that lies beside the check, or one folder above for all areas.

        `${claim}` is the spec of a valid claim (driver file), `${class}` its device class, `${driver}`, `${node}` and
        `${namespace}` names, `${image}` an image that just waits, `${name}` "user"; the caller may give others.
        Values are put in as JSON.
        """
        known: Mapping[str, Any] = {
            "claim": self.target.claim_spec(),
            "class": self.target.device_class,
            "driver": self.target.driver_name,
            "node": self.node.name,
            "namespace": self.namespace,
            "image": self.backend.image,
            "name": "user",
            **variables,
        }
        beside, shared = self.folder / manifest, self.folder.parent / manifest
        text = (beside if beside.exists() else shared).read_text(encoding="utf-8")
        filled = _VARIABLE.sub(lambda match: json.dumps(known[match[1]]), text)
        return Applied(self, [self.create(obj) for obj in yaml.safe_load_all(filled) if obj])

    def create(self, obj: Object) -> Object:
        """Create one object in the check's namespace; cluster-scoped ones are deleted again after the check."""
        resource = _RESOURCES[obj["kind"]]
        if resource == "pods":
            obj = {**obj, "spec": self.target.pod_spec(obj["spec"])}
        if resource in ("deviceclasses", "resourceslices"):
            self.cluster_scoped.append((resource, obj["metadata"]["name"]))
            return self.api.create(resource, obj)
        return self.api.create(resource, obj, self.namespace)

    def claim(self, name: str) -> Claim:
        """A claim of the check's namespace by name. Raises NotFound."""
        return Claim(self, self.api.get("resourceclaims", name, self.namespace))

    def slices(self) -> list[Object]:
        """ResourceSlices of the driver under test, sorted by name."""
        items = self.api.list("resourceslices", field_selector=f"spec.driver={self.target.driver_name}")["items"]
        return sorted(items, key=lambda item: str(item["metadata"]["name"]))

    def answers(self, method: str, claim_uid: str | None = None, since: int = 0) -> list[Answer]:
        """Answers of the driver so far, from the history."""
        events = self.history.events("rpc", lambda e: _is_answer(e.data, method, claim_uid), since)
        return [Answer.from_event(event.data) for event in events]

    def wait_answer(self, method: str, claim_uid: str, *, since: int = 0, timeout: float = 60) -> Answer:
        """The first answer to such a call from `since` on. Raises WaitTimeout when there was no call."""
        return wait_for(
            lambda: next(iter(self.answers(method, claim_uid, since)), None),
            f"{method} for claim {claim_uid}",
            timeout=timeout,
        )


def _is_answer(data: Mapping[str, Any], method: str, claim_uid: str | None) -> bool:
    if data.get("phase") != "end" or data.get("method") != method:
        return False
    return claim_uid is None or any(claim["uid"] == claim_uid for claim in data["request"]["claims"])
