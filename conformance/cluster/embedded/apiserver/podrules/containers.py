"""Containers of pods: their names, images, ports, policies, and all that is in them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from conformance.cluster.embedded.apiserver import formats, rules
from conformance.cluster.embedded.apiserver.field_errors import duplicate, invalid, not_supported, required
from conformance.cluster.embedded.apiserver.podrules import claims, environment, mounts, resources, security
from conformance.cluster.embedded.apiserver.podrules.probes import probes
from conformance.cluster.embedded.apiserver.podrules.words import Errors, Row, port, port_name

_PULLS = ("Always", "IfNotPresent", "Never")
_MESSAGES = ("File", "FallbackToLogsOnError")
_RESTARTS = ("Always", "Never", "OnFailure")
_PROTOCOLS = ("SCTP", "TCP", "UDP")
_RESIZED = ("cpu", "memory")
_RESIZES = ("NotRequired", "RestartContainer")


@dataclass(frozen=True)
class Containers:
    """What the containers of one pod have in common: its spec, the names of its claims, its volumes that are right."""

    spec: Row
    claims: set[str]
    volumes: Mapping[str, Row]

    def errors(self) -> Errors:
        """Of all of them."""
        rows: Sequence[Row] = self.spec.get("containers", [])
        if not rows:
            yield required("spec.containers")
        names: set[str] = set()
        for index, row in enumerate(rows):
            yield from self._common(row, f"spec.containers[{index}]", names)
            yield from probes(row, f"spec.containers[{index}]", self._grace, runs=True)
            yield from _restart(row, f"spec.containers[{index}]")
        yield from _host_ports(rows, "spec.containers")
        for index, row in enumerate(self.spec.get("initContainers", [])):
            field, stays = f"spec.initContainers[{index}]", row.get("restartPolicy") == "Always"
            yield from self._common(row, field, names)
            yield from probes(row, field, self._grace, runs=stays)
            yield from _restart(row, field)
            # Kubernetes counts from 0 here, whichever container it is.
            yield from _host_ports([row], "spec.initContainers")
            for number, policy in enumerate(() if stays else row.get("resizePolicy", [])):
                if policy.get("restartPolicy") == "RestartContainer":
                    why = "must not be set to 'RestartContainer' for non-sidecar initContainers"
                    yield invalid(f"{field}.resizePolicy[{number}].restartPolicy", "RestartContainer", why)

    @property
    def _grace(self) -> int:
        return int(self.spec["terminationGracePeriodSeconds"])

    def _common(self, row: Row, field: str, names: set[str]) -> Errors:
        name, image = row.get("name", ""), row.get("image", "")
        if not name:
            yield required(f"{field}.name")
        else:
            yield from rules.device_name(name, f"{field}.name")
        if name in names:
            yield duplicate(f"{field}.name", name)
        names.add(name)
        if not image:
            yield required(f"{field}.image")
        if image != image.strip():
            yield invalid(f"{field}.image", image, "must not have leading or trailing whitespace")
        for key, choices in (("terminationMessagePolicy", _MESSAGES), ("imagePullPolicy", _PULLS)):
            yield from rules.one_of(row[key], choices, f"{field}.{key}")
        yield from _ports(row.get("ports", []), f"{field}.ports")
        yield from environment.variables(row, field)
        yield from mounts.mounts(row, self.volumes, f"{field}.volumeMounts")
        yield from mounts.devices(row, self.volumes, f"{field}.volumeDevices")
        yield from resources.of_container(row["resources"], f"{field}.resources")
        yield from claims.used(row["resources"].get("claims", []), self.claims, f"{field}.resources.claims")
        yield from self._resizes(row.get("resizePolicy", []), f"{field}.resizePolicy")
        shared = bool(self.spec.get("hostUsers", True))
        yield from security.of_container(row.get("securityContext", {}), f"{field}.securityContext", host_users=shared)

    def _resizes(self, rows: Sequence[Row], field: str) -> Errors:
        seen: set[str] = set()
        for index, row in enumerate(rows):
            name, policy = row.get("resourceName", ""), row.get("restartPolicy", "")
            if name in seen:
                yield duplicate(f"{field}[{index}]", name)
            seen.add(name)
            yield from rules.one_of(name, _RESIZED, field)
            yield from rules.one_of(policy, _RESIZES, field)
            if self.spec["restartPolicy"] == "Never" and policy != "NotRequired":
                yield invalid(field, policy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'")


def _restart(row: Row, field: str) -> Errors:
    if "restartPolicy" not in row:
        if row.get("restartPolicyRules"):
            yield required(f"{field}.restartPolicy", "must specify restartPolicy when restart rules are used")
    elif row["restartPolicy"] not in _RESTARTS:
        yield not_supported(f"{field}.restartPolicy", row["restartPolicy"], _RESTARTS)


def _ports(rows: Sequence[Row], field: str) -> Errors:
    names: set[str] = set()
    for index, row in enumerate(rows):
        place, name = f"{field}[{index}]", row.get("name", "")
        faults = list(port_name(name)) if name else []
        yield from formats.each(iter(faults), f"{place}.name", name)
        if name and not faults:
            if name in names:
                yield duplicate(f"{place}.name", name)
            names.add(name)
        if not row.get("containerPort"):
            yield required(f"{place}.containerPort")
        for key in ("containerPort", "hostPort"):
            if row.get(key):
                yield from formats.each(port(row[key]), f"{place}.{key}", row[key])
        yield from rules.one_of(row["protocol"], _PROTOCOLS, f"{place}.protocol")


def _host_ports(containers: Sequence[Row], field: str) -> Errors:
    """None is taken twice."""
    taken: set[str] = set()
    for index, container in enumerate(containers):
        for number, row in enumerate(container.get("ports", [])):
            if not row.get("hostPort"):
                continue
            name = f"{row['protocol']}/{row.get('hostIP', '')}/{row['hostPort']}"
            if name in taken:
                yield duplicate(f"{field}[{index}].ports[{number}].hostPort", name)
            taken.add(name)
