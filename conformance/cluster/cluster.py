"""What checks hold in their hands: a Cluster with a namespace of the check's own, its Pods and Claims."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import yaml

from conformance.cluster.answer import Answer, ClaimRef
from conformance.cluster.api import Api, Forbidden, NotFound
from conformance.cluster.diagnosis import doubts, explained
from conformance.cluster.kubelet.rpc import ended_by_kubelet
from conformance.cluster.protocol import Backend, ContainerView, Node, Shared
from conformance.cluster.wait import seen_within, wait_for
from conformance.history import History
from conformance.target import Target
from conformance.verdict import Inconclusive, Unseen

Object = dict[str, Any]

_RESOURCES = {
    "Pod": "pods",
    "ResourceClaim": "resourceclaims",
    "ResourceClaimTemplate": "resourceclaimtemplates",
    "DeviceClass": "deviceclasses",
    "ResourceSlice": "resourceslices",
    "DeviceTaintRule": "devicetaintrules",
}
_SHARED = Path(__file__).parent.parent / "checks"
_VARIABLE = re.compile(r"\$\{(\w+)\}")
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_ASKED_AGAIN = 6.0  # seconds after a bad answer: the embedded kubelet asks four times in them


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
        """Wait until it is allocated. Raises WaitTimeout with what the pods of the namespace hang on."""
        what = f"claim {self.namespace}/{self.name} to be allocated"
        return wait_for(self.devices, what, timeout=timeout, otherwise=self.cluster.trouble)

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

    def wait_prepared(self, pod_claim: str) -> Answer:
        """The driver's answer to Prepare for this claim: the first good one, or the last of several bad ones.

        Raises WaitTimeout without any, Unseen where calls cannot be seen.
        """
        self.cluster.need_calls()
        claim = self.claim(pod_claim)
        claim.wait_allocated()
        return self.cluster.wait_answer("NodePrepareResources", claim.uid)

    def wait_running(self, timeout: float | None = None) -> "Pod":
        """Wait until its containers run, by default as long as limits.podRunning of the driver file says.

        Raises WaitTimeout with what it hangs on.
        """
        limit = self.cluster.target.file.limits.pod_running if timeout is None else timeout
        wait_for(lambda: self.phase == "Running", f"pod {self.name} to run", timeout=limit, otherwise=self._in_vain)
        return self

    def _in_vain(self) -> str:
        """Its trouble; that a check waited for it in vain is recorded, for the one that judges such pods at the end."""
        self.cluster.history.record("vain", namespace=self.namespace, pod=self.name, uid=self.uid)
        return self.trouble()

    def trouble(self) -> str:
        """What the pod hangs on, in one line: its condition, waiting reason and last event."""
        status = self.get().get("status") or {}
        lines = [c.get("message", "") for c in status.get("conditions", []) if c.get("status") == "False"]
        for container in status.get("containerStatuses", []):
            waiting = (container.get("state") or {}).get("waiting") or {}
            lines.append(f"{waiting.get('reason', '')}: {waiting.get('message', '')}")
        lines += [event.get("message", "") for event in self.events()[-1:]]
        said = "; ".join(line for line in lines if line.strip(": "))
        return explained(said) if said else "no condition and no event yet"

    def events(self) -> list[Object]:
        """Events about the pod, the one that was told last at the end."""
        rows = self.cluster.api.list("events", self.namespace)["items"]
        mine = [event for event in rows if event.get("involvedObject", {}).get("uid") == self.uid]
        return sorted(mine, key=lambda event: str(event.get("lastTimestamp") or event.get("eventTime") or ""))

    @property
    def node(self) -> Node:
        """The node that it was placed on. Raises Inconclusive for one that is not a node of the driver's."""
        name = self.get()["spec"].get("nodeName", "")
        found = next((node for node in self.cluster.backend.nodes if node.name == name), None)
        if found is None:
            raise Inconclusive(f"pod {self.name} is on {f'node {name}' if name else 'no node yet'}")
        return found

    def container(self, name: str = "main") -> ContainerView:
        """What a started container sees."""
        return self.node.container(self.uid, name)

    def delete(self, *, wait: bool = True, timeout: float = 60) -> None:
        """Delete it; by default wait until it is gone. Raises WaitTimeout."""
        self.cluster.api.delete("pods", self.name, self.namespace)
        if wait:
            self.wait_gone(timeout)

    def wait_gone(self, timeout: float = 60) -> None:
        """Wait until it is gone. Raises WaitTimeout."""
        wait_for(self.is_gone, f"pod {self.name} to be gone", timeout=timeout, otherwise=self.trouble)

    def is_gone(self) -> bool:
        """Whether it is gone from the API server."""
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
        """Create the objects of a manifest that lies beside the check, one folder above, or with the suite's checks.

        `${claim}` is the spec of a valid claim (driver file), `${class}` its device class, `${driver}` and
        `${namespace}` names, `${node}` the node's label kubernetes.io/hostname, `${image}` an image that just waits,
        `${name}` "user"; the caller may give others.
        Values are put in as JSON. Raises Inconclusive for a variable that is not known.
        """
        known: Mapping[str, Any] = {
            "claim": self.target.claim_spec(),
            "class": self.target.device_class,
            "driver": self.target.driver_name,
            "node": self.node.hostname,
            "namespace": self.namespace,
            "image": self.backend.image,
            "name": "user",
            **variables,
        }
        places = [folder / manifest for folder in (self.folder, self.folder.parent, _SHARED)]
        path = next((path for path in places if path.exists()), places[0])
        text = path.read_text(encoding="utf-8")
        unknown = sorted({name for name in _VARIABLE.findall(text) if name not in known})
        if unknown:
            raise Inconclusive(
                f"{path} has the unknown variable ${{{unknown[0]}}}; known are "
                + ", ".join(f"${{{name}}}" for name in known)
            )
        filled = _VARIABLE.sub(lambda match: json.dumps(known[match[1]]), text)
        return Applied(self, [self.create(obj) for obj in yaml.load_all(filled, Loader=_Loader) if obj])

    def create(self, obj: Object) -> Object:
        """Create one object in the check's namespace; cluster-scoped ones are deleted again after the check."""
        resource = _RESOURCES[obj["kind"]]
        if resource == "pods":
            obj = {**obj, "spec": self.target.pod_spec(obj["spec"])}
        if resource in ("deviceclasses", "resourceslices", "devicetaintrules"):
            self.cluster_scoped.append((resource, obj["metadata"]["name"]))
            return self.api.create(resource, obj)
        if resource == "pods":
            return wait_for(lambda: self._pod(obj), "the default service account of the namespace", timeout=30)
        return self.api.create(resource, obj, self.namespace)

    def _pod(self, obj: Object) -> Object | None:
        """The pod as created, None as long as its namespace is too new for that."""
        try:
            return self.api.create("pods", obj, self.namespace)
        except Forbidden as error:
            if "service account" in str(error):
                return None
            raise

    def claim(self, name: str) -> Claim:
        """A claim of the check's namespace by name. Raises NotFound."""
        return Claim(self, self.api.get("resourceclaims", name, self.namespace))

    def seen_by(self, target: Target) -> "Cluster":
        """The same namespace, seen with another driver as the one under test."""
        seen = Cluster(self.backend, target, self.namespace, self.folder)
        seen.cluster_scoped = self.cluster_scoped
        return seen

    def slices_of(self, node: Node) -> list[Object]:
        """ResourceSlices of the driver under test that name a node, sorted by name."""
        selector = f"spec.driver={self.target.driver_name},spec.nodeName={node.name}"
        items = self.api.list("resourceslices", field_selector=selector)["items"]
        return sorted(items, key=lambda item: str(item["metadata"]["name"]))

    def slices(self) -> list[Object]:
        """ResourceSlices of the driver under test, without those of other nodes than the one, sorted by name."""
        items = self.api.list("resourceslices", field_selector=f"spec.driver={self.target.driver_name}")["items"]
        if self.target.driver.scope == "node-local":
            others = {node.name for node in self.backend.nodes[1:]}
            if isinstance(self.backend, Shared):
                others |= self.backend.elsewhere({str(item["spec"].get("nodeName", "")) for item in items})
            items = [item for item in items if item["spec"].get("nodeName") not in others]
        return sorted(items, key=lambda item: str(item["metadata"]["name"]))

    def answers(self, method: str, claim_uid: str | None = None, since: int = 0) -> list[Answer]:
        """Answers of the driver so far, from the history; calls that the kubelet itself gave up have none.

        Raises Unseen where the kubelet's calls cannot be seen.
        """
        self.need_calls()
        return self.answers_seen(method, claim_uid, since)

    def answers_seen(self, method: str, claim_uid: str | None = None, since: int = 0) -> list[Answer]:
        """As `answers`; where the kubelet's calls cannot be seen, those to checks alone."""
        driver = self.target.driver_name
        events = self.history.events("rpc", lambda e: _is_answer(e.data, driver, method, claim_uid), since)
        return [Answer.from_event(event.data) for event in events]

    def need_calls(self) -> None:
        """Go on only where calls of the kubelet to the driver are in the history. Raises Unseen."""
        need_calls(self.node)

    def wait_answer(self, method: str, claim_uid: str, *, since: int = 0, timeout: float = 60) -> Answer:
        """The driver's answer to such calls from `since` on: the first good one, or the last of several bad ones.

        A driver may fail and do better when the kubelet asks again. Raises WaitTimeout when there was no call, Unseen
        where calls cannot be seen, Inconclusive when the last one was given up as too late: that alone proves nothing.
        """

        def answers() -> list[Answer]:
            return self.answers(method, claim_uid, since)

        self.first_answer(method, claim_uid, since=since, timeout=timeout)
        seen_within(lambda: not all(answer.error for answer in answers()), _ASKED_AGAIN)
        found = answers()
        answer = next((answer for answer in found if not answer.error), found[-1])
        if answer.late:
            raise Inconclusive(f"the kubelet gave {method} for claim {claim_uid} up after {answer.seconds:.0f} s")
        return answer

    def first_answer(self, method: str, claim_uid: str, *, since: int = 0, timeout: float = 60) -> Answer:
        """The driver's answer to the first such call from `since` on, however bad; a call that is given up has one.

        Raises WaitTimeout when there was no call, Unseen where calls cannot be seen.
        """
        return wait_for(
            lambda: self.answers(method, claim_uid, since),
            f"{method} for claim {claim_uid}",
            timeout=timeout,
            otherwise=self.trouble,
        )[0]

    def trouble(self) -> str:
        """What the pods of the namespace hang on, and what is known to keep such kubelets from calling."""
        pods = [Pod(self, item) for item in self.api.list("pods", self.namespace)["items"]]
        seen = [f"pod {pod.name}: {pod.trouble()}" for pod in pods] or ["no pod"]
        return "; ".join(seen + doubts(self.api.get("nodes", self.node.name)))


def need_calls(node: Node) -> None:
    """Go on only where calls between the node's kubelet and its drivers are in the history. Raises Unseen."""
    if not node.sees_calls:
        raise Unseen("calls between the kubelet and the driver cannot be seen on this cluster")


def _is_answer(data: Mapping[str, Any], driver: str, method: str, claim_uid: str | None) -> bool:
    if data.get("phase") != "end" or data.get("method") != method or data.get("driver") != driver:
        return False
    if ended_by_kubelet(data["code"], data["details"]):
        return False
    return claim_uid is None or any(claim["uid"] == claim_uid for claim in data["request"]["claims"])
