"""The version after this one: rolled out as a change of workloads' pod templates, and taken back."""

import copy
from typing import Any

from conformance.cluster.api import Object
from conformance.cluster.kind.manifests import Applier
from conformance.cluster.kind.workloads import driver_container
from conformance.cluster.wait import wait_for
from conformance.target.model import NextDeploymentSection


class NextVersion:
    """What the driver file says of the next version, and which workloads it was rolled out in."""

    def __init__(self, applier: Applier, section: NextDeploymentSection | None) -> None:
        self._applier = applier
        self._section = section
        self._before: dict[str, tuple[Object, list[Any]]] = {}

    def change(self, obj: Object) -> Object:
        """The change of a workload's pod template that makes it the next version's; {} where there is none."""
        template = obj["spec"]["template"]
        if self._section is None or not driver_container(template["spec"]):
            return {}
        self._before.setdefault(self._applier.path(obj), (obj, template["spec"]["containers"]))
        return {"spec": {"containers": containers(template, self._section)}}

    def take_back(self, *, timeout: float) -> None:
        """Roll this version out where the next one is. Raises WaitTimeout."""
        for obj, before in self._before.values():
            made = self._applier.patch(obj, {"spec": {"template": {"spec": {"containers": before}}}})
            what = f"{obj['kind']} {obj['metadata']['name']} to be back at this version"
            wait_for(lambda made=made: self._rolled_out(made), what, timeout=timeout)  # type: ignore[misc]
        self._before.clear()

    def _rolled_out(self, made: Object) -> bool:
        """Whether all pods of a DaemonSet are of the template that it was given, and available."""
        status = self._applier.get(made).get("status") or {}
        scheduled = status.get("desiredNumberScheduled", 0)
        counts = [status.get(name, 0) for name in ("updatedNumberScheduled", "numberAvailable")]
        seen: int = status.get("observedGeneration", 0)
        return seen >= made["metadata"]["generation"] and all(count >= scheduled for count in counts)


def containers(template: Object, section: NextDeploymentSection) -> list[Any]:
    """The containers of a pod template with the driver's one being the next version."""
    found: list[Any] = copy.deepcopy(template["spec"]["containers"])
    name = driver_container(template["spec"])
    driver = next(container for container in found if container["name"] == name)
    if section.image:
        driver["image"] = section.image
    if section.args is not None:
        driver["args"] = section.args
    if section.env:
        kept = [row for row in driver.get("env") or () if row["name"] not in section.env]
        driver["env"] = [*kept, *({"name": name, "value": value} for name, value in section.env.items())]
    return found
