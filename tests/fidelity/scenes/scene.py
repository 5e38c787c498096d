"""What a scene has in its hands: a namespace, a driver and a node of its own, and short ways to use them."""

from collections.abc import Callable, Mapping
from typing import Any

from tenacity import RetryError, Retrying, retry_if_result, stop_after_delay, wait_exponential

from conformance.cluster.api import Api, NotFound
from conformance.verdict import WaitTimeout
from tests.fidelity.scenes.picture import Picture, tidy

Obj = dict[str, Any]

PATIENCE = 40.0
ROOM = {"cpu": "2", "memory": "1Gi", "ephemeral-storage": "1Gi", "pods": "20"}


class Scene:
    """One scenario on one control plane. Nothing runs its pods: they are as scheduler and controllers leave them."""

    def __init__(self, api: Api, name: str) -> None:
        self.api = api
        self.name = name
        self.namespace = name
        self.driver = f"{name}.example.com"
        api.create("namespaces", {"metadata": {"name": name}})
        self.node()
        self.device_class()

    # What there is

    def node(self, name: str = "node", *, room: Mapping[str, str] | None = None, **spec: Any) -> str:
        """A node for pods of this scene; its full name."""
        full = self.named(name)
        labels = {"scene": self.name, "node": name, "kubernetes.io/hostname": full}
        self.api.create("nodes", {"metadata": {"name": full, "labels": labels}, "spec": spec})
        room = {**ROOM, **(room or {})}
        status = {"status": {"capacity": room, "allocatable": room}}
        self.api.patch("nodes", full, status, subresource="status")
        return full

    def named(self, name: str) -> str:
        """The full name of something that has no namespace."""
        return f"{self.name}-{name}"

    def device_class(self, name: str = "class", **spec: Any) -> Obj:
        """A class of all devices of the scene's driver."""
        selectors = [{"cel": {"expression": f"device.driver == '{self.driver}'"}}]
        body = {"metadata": {"name": self.named(name)}, "spec": {"selectors": selectors, **spec}}
        return self.api.create("deviceclasses", body)

    def publish(self, *devices: str | Obj, node: str = "node", generation: int = 1) -> None:
        """Publish these devices as the pool of a node, in place of what was there."""
        rows = [{"name": device} if isinstance(device, str) else device for device in devices]
        pool = {"name": node, "generation": generation, "resourceSliceCount": 1}
        spec = {"driver": self.driver, "pool": pool, "nodeName": self.named(node), "devices": rows}
        name = self.named(node)
        try:
            old = self.api.get("resourceslices", name)
        except NotFound:
            self.api.create("resourceslices", {"metadata": {"name": name}, "spec": spec})
            return
        self.api.replace("resourceslices", {**old, "spec": spec})

    def request(self, **exactly: Any) -> Obj:
        """A claim's spec with one request, `gpu`."""
        exactly = {"deviceClassName": self.named("class"), **exactly}
        return {"devices": {"requests": [{"name": "gpu", "exactly": exactly}]}}

    def claim(self, name: str = "claim", **exactly: Any) -> Obj:
        """A claim for one device."""
        body = {"metadata": {"name": name}, "spec": self.request(**exactly)}
        return self.api.create("resourceclaims", body, self.namespace)

    def template(self, name: str = "template", metadata: Obj | None = None, **exactly: Any) -> Obj:
        """A template of claims for one device."""
        spec = {"metadata": metadata or {}, "spec": self.request(**exactly)}
        return self.api.create("resourceclaimtemplates", {"metadata": {"name": name}, "spec": spec}, self.namespace)

    def pod(self, name: str = "pod", *, claim: str = "", template: str = "", **spec: Any) -> Obj:
        """A pod that uses a claim, or one made from a template."""
        entries: list[Obj] = []
        if claim:
            entries.append({"name": "named", "resourceClaimName": claim})
        if template:
            entries.append({"name": "made", "resourceClaimTemplateName": template})
        claims = [{"name": entry["name"]} for entry in entries]
        container = {"name": "c", "image": "example.com/none", "resources": {"claims": claims}}
        full = {
            "containers": [container],
            "resourceClaims": entries,
            "nodeSelector": {"scene": self.name},
            "terminationGracePeriodSeconds": 0,
            **spec,
        }
        return self.api.create("pods", {"metadata": {"name": name}, "spec": full}, self.namespace)

    # What happens

    def get(self, resource: str, name: str) -> Obj:
        """An object of the scene's namespace."""
        return self.api.get(resource, name, self.namespace)

    def exists(self, resource: str, name: str, namespace: str | None = "") -> bool:
        """Whether there is such an object, in the scene's namespace unless said otherwise."""
        try:
            self.api.get(resource, name, self.namespace if namespace == "" else namespace)
        except NotFound:
            return False
        return True

    def until(self, what: str, condition: Callable[[], Any], seen: Callable[[], object] = str) -> Any:
        """Wait for a condition; what it gave. Raises WaitTimeout with what was seen instead."""
        # Many scenes wait at the same time: they ask less often than other tests do.
        asking = Retrying(
            retry=retry_if_result(lambda result: not result),
            stop=stop_after_delay(PATIENCE),
            wait=wait_exponential(multiplier=0.03, max=0.3),
        )
        try:
            return asking(condition)
        except RetryError:
            raise WaitTimeout(f"{self.name}: waited {PATIENCE:g} s for {what}; seen instead: {seen()}") from None

    def bound(self, name: str = "pod") -> Obj:
        """The pod, once it has a node."""

        def there() -> Obj | None:
            pod = self.get("pods", name)
            return pod if pod["spec"].get("nodeName") else None

        found: Obj = self.until(f"pod {name} to be bound", there, lambda: self.get("pods", name).get("status"))
        return found

    def told(self, *words: str, pod: str = "pod") -> Obj:
        """The pod, once its condition PodScheduled is False and its message has all these words."""

        def there() -> Obj | None:
            found = self.get("pods", pod)
            message = self.condition(found).get("message", "")
            return found if self.condition(found) and all(word in message for word in words) else None

        seen = lambda: self.get("pods", pod).get("status")  # noqa: E731
        found: Obj = self.until(f"pod {pod} to be told {words}", there, seen)
        return found

    def condition(self, pod: Obj, kind: str = "PodScheduled") -> Obj:
        """A condition that is False, or that is not PodScheduled; {} when there is none."""
        rows = pod.get("status", {}).get("conditions") or []
        wanted = [row for row in rows if row["type"] == kind and (kind != "PodScheduled" or row["status"] == "False")]
        return wanted[0] if wanted else {}

    def allocated(self, name: str = "claim", holders: int = 1) -> Obj:
        """The claim, once it is allocated and reserved for so many pods."""
        return self.claim_with(name, lambda status: bool(status.get("allocation")), holders)

    def free(self, name: str = "claim") -> Obj:
        """The claim, once it is not allocated any more, and nothing protects it."""

        def there() -> Obj | None:
            found = self.get("resourceclaims", name)
            protected = found["metadata"].get("finalizers") or found.get("status", {}).get("allocation")
            return None if protected else found

        found: Obj = self.until(f"claim {name} to be free", there, lambda: self.get("resourceclaims", name))
        return found

    def claim_with(self, name: str, condition: Callable[[Obj], bool], holders: int) -> Obj:
        """The claim, once its status is so, and it is reserved for so many pods."""

        def there() -> Obj | None:
            found = self.get("resourceclaims", name)
            status = found.get("status") or {}
            return found if condition(status) and len(status.get("reservedFor") or ()) == holders else None

        found: Obj = self.until(f"claim {name} to be right", there, lambda: self.get("resourceclaims", name))
        return found

    def gone(self, resource: str, name: str, namespace: str | None = "") -> None:
        """Wait until there is no such object."""
        self.until(f"{resource} {name} to be gone", lambda: not self.exists(resource, name, namespace))

    def generated(self, pod: str = "pod") -> str:
        """The name of the claim that was made for the pod's first entry."""

        def name() -> str | None:
            rows = self.get("pods", pod).get("status", {}).get("resourceClaimStatuses") or []
            return rows[0].get("resourceClaimName") if rows else None

        return str(self.until(f"the claim of pod {pod}", name))

    def finish(self, pod: str = "pod", phase: str = "Succeeded") -> None:
        """The pod has ended, as its kubelet reports."""
        self.api.patch("pods", pod, {"status": {"phase": phase}}, self.namespace, subresource="status")

    def delete_pod(self, name: str = "pod", grace: int = 0) -> None:
        """Delete a pod; with a grace period it stays, as nothing runs it."""
        self.api.delete("pods", name, self.namespace, grace_period_seconds=grace)

    def event(self, reason: str, *words: str) -> None:
        """Wait for an event with this reason, and these words in its message."""

        def there() -> bool:
            rows = self.api.list("events", self.namespace)["items"]
            return any(row["reason"] == reason and all(w in row["message"] for w in words) for row in rows)

        self.until(f"event {reason} {words}", there, lambda: self.api.list("events", self.namespace)["items"])

    def settle(self) -> None:
        """Wait until scheduler and controllers have worked off what came before: they have dealt with a pod of now."""
        self.settled = getattr(self, "settled", 0) + 1
        name = f"marker-{self.settled}"
        self.pod(name)
        self.bound(name)
        self.delete_pod(name)
        self.gone("pods", name)

    # How it looks

    def picture(self, **parts: Any) -> Picture:
        """What the scene has come to, in what both control planes must agree on."""
        tidied = tidy(parts)
        assert isinstance(tidied, dict)
        return tidied

    def events(self) -> list[Obj]:
        """All events of the scene, each kind once. Those of pods that were bound are waited for: they come later."""
        for pod in self.api.list("pods", self.namespace)["items"]:
            told = {row["type"]: row["status"] for row in pod["status"].get("conditions") or ()}
            if told.get("PodScheduled") == "True":
                self.event("Scheduled", f"{self.namespace}/{pod['metadata']['name']} ")
        rows: list[Obj] = []
        for row in self.api.list("events", self.namespace)["items"]:
            about = row["involvedObject"]
            # Of events that come fast, Kubernetes writes one that says so; when, is chance.
            if about["name"].startswith("marker-") or row["message"].startswith("(combined from similar events)"):
                continue
            shown = {
                "about": f"{about['kind']} {about['name']}",
                **{key: row.get(key) for key in ("type", "reason", "message", "action")},
                "from": row.get("reportingComponent") or row.get("source", {}).get("component"),
            }
            shown = tidy(shown)
            if shown not in rows:
                rows.append(shown)
        return sorted(rows, key=str)
