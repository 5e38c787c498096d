"""An allocation problem: what is in the cluster, and what is done to it, step by step."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal, NamedTuple

Obj = dict[str, Any]
LABEL = {"fidelity": "allocation"}
"""On every object of a problem."""


class Action(NamedTuple):
    """One request to an API server. `body` is the object, or the merge patch (of the status with `status`)."""

    verb: Literal["create", "patch", "delete"]
    resource: str
    name: str
    namespace: str | None
    body: Obj
    status: bool = False


@dataclass
class Problem:
    """Its name is that of its namespace, and part of all names it has: problems do not meet in one cluster.

    before: done before the first pod of any problem comes; steps: done one after the other, what has come of each is
    the answer. A step of `rivals` is left out where two pods wait: which one comes first is not said.
    """

    name: str
    kind: str
    before: list[Action] = field(default_factory=list)
    steps: list[Sequence[Action]] = field(default_factory=list)
    rivals: set[int] = field(default_factory=set)


# What nodes have, the first, the second …: no two score the same, however many of a problem's pods they have.
_SIZES = (("500m", "1000Mi"), ("1100m", "2300Mi"), ("2300m", "5100Mi"))


class Draft:
    """A problem being written: short ways to name its objects."""

    def __init__(self, name: str, kind: str, random: Random) -> None:
        self.random = random
        self.problem = Problem(name, kind)
        self.name = name
        self._nodes = 0
        self._before("namespaces", {"metadata": {"name": name}})

    def chance(self, of: float) -> bool:
        """True with a probability."""
        return self.random.random() < of

    def one(self, *choices: Any) -> Any:
        """One of them."""
        return self.random.choice(choices)

    def named(self, name: str) -> str:
        """A name in the cluster."""
        return f"{self.name}-{name}"

    def driver(self, name: str = "gpu") -> str:
        """The name of one of the problem's drivers."""
        return f"{name}.{self.name}.example.com"

    def _before(self, resource: str, obj: Obj, namespace: str | None = None) -> None:
        self.problem.before.append(self.create(resource, obj, namespace))

    def admin_namespace(self) -> None:
        """The namespace may have claims with admin access."""
        body = {"metadata": {"labels": {"resource.kubernetes.io/admin-access": "true"}}}
        self.problem.before.append(Action("patch", "namespaces", self.name, None, body))

    def node(self, name: str, labels: Obj | None = None, more: Obj | None = None, **spec: Any) -> str:
        """A node that is ready, each with more on it than the one before, and `more` resources; its name."""
        full = self.named(name)
        known = {"kubernetes.io/hostname": full, "problem": self.name, **(labels or {})}
        if "zone" in known:
            known[self.named("zone")] = known["zone"]
        cpu, memory = _SIZES[self._nodes]
        has = {"cpu": cpu, "memory": memory, "pods": "110", **(more or {})}
        self._nodes += 1
        ready = {"type": "Ready", "status": "True", "reason": "KubeletReady", "message": "ready"}
        status = {"capacity": has, "allocatable": has, "conditions": [ready]}
        self._before("nodes", {"metadata": {"name": full, "labels": known}, "spec": spec, "status": status})
        return full

    def slice(self, name: str, devices: Sequence[Obj] = (), **fields: Any) -> Obj:
        """A slice that is there from the beginning."""
        obj = self.slice_object(name, devices, **fields)
        self._before("resourceslices", obj)
        return obj

    def slice_object(
        self,
        name: str,
        devices: Sequence[Obj] = (),
        *,
        driver: str = "gpu",
        pool: str = "pool",
        generation: int = 1,
        count: int = 1,
        **spec: Any,
    ) -> Obj:
        """`spec` has its node selection; without any it is for the node "a"."""
        if not spec.keys() & {"nodeName", "allNodes", "nodeSelector", "perDeviceNodeSelection"}:
            spec["nodeName"] = self.named("a")
        pool_of = {"name": pool, "generation": generation, "resourceSliceCount": count}
        content: Obj = {} if "sharedCounters" in spec else {"devices": list(devices)}
        full = {"driver": self.driver(driver), "pool": pool_of, **content, **spec}
        return {"metadata": {"name": self.named(name)}, "spec": full}

    def device_class(self, name: str, *selectors: str, drivers: Sequence[str] = ("gpu",), **spec: Any) -> None:
        """A class of devices of some of the problem's drivers."""
        self._before("deviceclasses", self.class_object(name, *selectors, drivers=drivers, **spec))

    def class_object(self, name: str, *selectors: str, drivers: Sequence[str] = ("gpu",), **spec: Any) -> Obj:
        """A class; its first selector names the drivers."""
        names = ", ".join(f'"{self.driver(driver)}"' for driver in drivers)
        all_of = [f"device.driver in [{names}]", *selectors]
        return {
            "metadata": {"name": self.named(name)},
            "spec": {"selectors": [cel(text) for text in all_of], **spec},
        }

    def exactly(self, name: str = "gpu", *, cls: str = "gpu", **fields: Any) -> Obj:
        """A request."""
        return {"name": name, "exactly": {"deviceClassName": self.named(cls), **fields}}

    def first_of(self, name: str, *subs: Obj) -> Obj:
        """A request with alternatives, from `sub`."""
        return {"name": name, "firstAvailable": list(subs)}

    def sub(self, name: str, *, cls: str = "gpu", **fields: Any) -> Obj:
        """An alternative."""
        return {"name": name, "deviceClassName": self.named(cls), **fields}

    def claim(self, name: str, *requests: Obj, **devices: Any) -> str:
        """A claim that is there from the beginning; its name."""
        spec = {"devices": {"requests": list(requests), **devices}}
        self._before("resourceclaims", {"metadata": {"name": name}, "spec": spec}, self.name)
        return name

    def template(self, name: str, *requests: Obj, **devices: Any) -> None:
        """A template that is there from the beginning."""
        inner = {"metadata": {"labels": {"made": "here"}}, "spec": {"devices": {"requests": list(requests), **devices}}}
        self._before("resourceclaimtemplates", {"metadata": {"name": name}, "spec": inner}, self.name)

    def held(self, name: str, results: Sequence[Obj], node: str = "") -> str:
        """A claim that somebody else has allocated, for all nodes or one; its name. Results name the request "r"."""
        count = len(results)
        self.claim(name, self.exactly("r", count=count))
        only = {"key": "metadata.name", "operator": "In", "values": [self.named(node)]}
        where = {"nodeSelector": {"nodeSelectorTerms": [{"matchFields": [only]}]}} if node else {}
        allocation = {"devices": {"results": list(results)}, "allocationTimestamp": "2026-01-01T00:00:00Z", **where}
        status = {"status": {"allocation": allocation}}
        self.problem.before.append(Action("patch", "resourceclaims", name, self.name, status, status=True))
        return name

    def result(self, device: str, *, driver: str = "gpu", pool: str = "pool", **fields: Any) -> Obj:
        """A result of `held`."""
        return {"request": "r", "driver": self.driver(driver), "pool": pool, "device": device, **fields}

    def in_zone(self, *zones: str) -> Obj:
        """The node selection of a slice or device for the problem's nodes in one of the zones."""
        term = {"matchExpressions": [{"key": self.named("zone"), "operator": "In", "values": list(zones)}]}
        return {"nodeSelector": {"nodeSelectorTerms": [term]}}

    def anywhere(self) -> Obj:
        """The node selection for all nodes of the problem."""
        term = {"matchExpressions": [{"key": "problem", "operator": "In", "values": [self.name]}]}
        return {"nodeSelector": {"nodeSelectorTerms": [term]}}

    def step(self, *actions: Action, rivals: bool = False) -> None:
        """Add a step."""
        if rivals:
            self.problem.rivals.add(len(self.problem.steps))
        self.problem.steps.append(actions)

    def pod(self, name: str, *claims: str, templates: Sequence[str] = (), **spec: Any) -> Action:
        """Create a pod with claims by name, or from templates, for the problem's nodes. `requests`: cpu and so on."""
        entries = [{"name": claim, "resourceClaimName": claim} for claim in claims]
        entries += [{"name": made, "resourceClaimTemplateName": made} for made in templates]
        wanted = spec.pop("requests", {})
        resources = {"claims": [{"name": row["name"]} for row in entries], "requests": wanted, "limits": wanted}
        container = {"name": "c", "image": "none", "resources": resources}
        selector = {"problem": self.name, **spec.pop("nodeSelector", {})}
        full = {"containers": [container], "resourceClaims": entries, "nodeSelector": selector, **spec}
        return Action("create", "pods", name, self.name, {"metadata": {"name": name}, "spec": full})

    def gone(self, pod: str) -> Action:
        """Delete a pod, at once."""
        return Action("delete", "pods", pod, self.name, {})

    def create(self, resource: str, obj: Obj, namespace: str | None = None) -> Action:
        """Create anything."""
        meta = obj["metadata"]
        labelled = {**obj, "metadata": {**meta, "labels": {**meta.get("labels", {}), **LABEL}}}
        return Action("create", resource, meta["name"], namespace, labelled)

    def change(self, resource: str, name: str, patch: Obj, *, status: bool = False, namespaced: bool = False) -> Action:
        """Merge into anything."""
        return Action("patch", resource, name, self.name if namespaced else None, patch, status)

    def remove(self, resource: str, name: str) -> Action:
        """Delete an object of the cluster."""
        return Action("delete", resource, name, None, {})


def cel(expression: str) -> Obj:
    """A selector."""
    return {"cel": {"expression": expression}}


def opaque(driver: str, **parameters: Any) -> Obj:
    """A configuration."""
    return {"opaque": {"driver": driver, "parameters": parameters}}
