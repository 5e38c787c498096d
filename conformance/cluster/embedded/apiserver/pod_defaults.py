"""What the API server fills into pods: defaults (pkg/apis/core/v1/defaults.go), and what admission adds to new ones."""

import re
from collections.abc import Iterator
from typing import Any

from conformance.cluster.embedded.apiserver.objects import Object

Row = dict[str, Any]

_POD: Row = {
    "restartPolicy": "Always",
    "dnsPolicy": "ClusterFirst",
    "schedulerName": "default-scheduler",
    "terminationGracePeriodSeconds": 30,
    "enableServiceLinks": True,
}
_CONTAINER: Row = {"terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "File"}
PRIORITIES = {"system-cluster-critical": 2_000_000_000, "system-node-critical": 2_000_001_000}
"""Those of the priority classes that every cluster has."""
_PROBE: Row = {"timeoutSeconds": 1, "periodSeconds": 10, "successThreshold": 1, "failureThreshold": 3}
_PROBES = ("livenessProbe", "readinessProbe", "startupProbe")
_MODE = 0o644
_TOKEN_SECONDS = 3600
_UNREADY = ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")
_UNREADY_SECONDS = 300
_PART = r"[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*"
_HOST = r"([A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?(\.[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?)*|\[[0-9a-fA-F:]+\])(:\d+)?"
_IMAGE = re.compile(
    rf"({_HOST}/)?{_PART}(/{_PART})*(:(?P<tag>\w[\w.-]{{0,127}}))?(@(?P<digest>[A-Za-z][\w+.-]*:[0-9a-fA-F]{{32,}}))?",
    re.ASCII,
)
"""The reference of an image (github.com/distribution/reference)."""


def pod(obj: Object) -> None:
    """Defaults of a Pod."""
    spec = obj.setdefault("spec", {})
    _fill(spec, _POD)
    spec.setdefault("securityContext", {})
    if account := spec.get("serviceAccountName") or spec.get("serviceAccount"):
        spec["serviceAccountName"] = spec["serviceAccount"] = account
    if spec["terminationGracePeriodSeconds"] < 0:
        spec["terminationGracePeriodSeconds"] = 1
    for container in (*spec.get("initContainers", []), *spec.get("containers", [])):
        _container(container, host=bool(spec.get("hostNetwork")))
    for volume in spec.get("volumes", []):
        _volume(volume)
    if obj.get("status"):
        _addresses(obj["status"])


def _addresses(status: Row) -> None:
    """The one address and the list of them say the same; the one counts where they do not."""
    one, rows = status.get("podIP"), status.get("podIPs")
    if rows and not one:
        status["podIP"] = rows[0].get("ip", "")
    elif one and (not rows or rows[0].get("ip", "") != one):
        status["podIPs"] = [{"ip": one}]


def admit(obj: Object) -> None:
    """What admission adds when a pod is created: its priority, and how long it stays on a node that is not ready.

    Source: plugin/pkg/admission/priority, plugin/pkg/admission/defaulttolerationseconds.
    """
    spec = obj["spec"]
    spec.setdefault("priority", PRIORITIES.get(spec.get("priorityClassName", ""), 0))
    spec.setdefault("preemptionPolicy", "PreemptLowerPriority")
    tolerations = spec.get("tolerations") or []
    missing = [key for key in _UNREADY if not any(_tolerates(row, key) for row in tolerations)]
    rows = [
        {"key": key, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": _UNREADY_SECONDS}
        for key in missing
    ]
    if rows:
        spec["tolerations"] = [*tolerations, *rows]


def _tolerates(row: Row, key: str) -> bool:
    return row.get("key", "") in ("", key) and row.get("effect", "") in ("", "NoExecute")


def _fill(row: Row, defaults: Row) -> None:
    """Zeros count as not given, but for pointers; those of the tables here are never zero on purpose."""
    for key, value in defaults.items():
        if row.get(key) in (None, "") or (row.get(key) == 0 and key in _PROBE):
            row[key] = value


def _container(container: Row, *, host: bool) -> None:
    _fill(container, _CONTAINER)
    if not container.get("imagePullPolicy"):
        container["imagePullPolicy"] = _pull_policy(container.get("image", ""))
    resources = container.setdefault("resources", {})
    if resources.get("limits"):
        resources["requests"] = {**resources["limits"], **resources.get("requests", {})}
    for port in container.get("ports", []):
        port.setdefault("protocol", "TCP")
        if host and not port.get("hostPort"):
            port["hostPort"] = port.get("containerPort", 0)
    for probe in (container[key] for key in _PROBES if key in container):
        _fill(probe, _PROBE)
        _http_get(probe)
    for action in (container.get("lifecycle") or {}).values():
        if isinstance(action, dict):
            _http_get(action)
    _field_refs(row.get("valueFrom") for row in container.get("env", []))


def _pull_policy(image: str) -> str:
    """Always for what is the latest of its name; what is no name of an image is not the latest either."""
    found = _IMAGE.fullmatch(image)
    latest = found is not None and (found["tag"] == "latest" or not (found["tag"] or found["digest"]))
    return "Always" if latest else "IfNotPresent"


def _http_get(action: Row) -> None:
    if "httpGet" in action:
        _fill(action["httpGet"], {"path": "/", "scheme": "HTTP"})
    if "grpc" in action:
        action["grpc"].setdefault("service", "")


def _field_refs(sources: Iterator[Row | None]) -> None:
    for source in sources:
        if source and "fieldRef" in source:
            _fill(source["fieldRef"], {"apiVersion": "v1"})


def _volume(volume: Row) -> None:
    if not set(volume) - {"name"}:
        volume["emptyDir"] = {}
    for kind in ("secret", "configMap", "projected", "downwardAPI"):
        if kind in volume:
            volume[kind].setdefault("defaultMode", _MODE)
    if "hostPath" in volume:
        volume["hostPath"].setdefault("type", "")
    _field_refs(iter((volume.get("downwardAPI") or {}).get("items", [])))
    for source in (volume.get("projected") or {}).get("sources", []):
        _field_refs(iter((source.get("downwardAPI") or {}).get("items", [])))
        if "serviceAccountToken" in source:
            source["serviceAccountToken"].setdefault("expirationSeconds", _TOKEN_SECONDS)
