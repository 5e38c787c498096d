"""Pods with the fields that have nothing to do with claims: containers, volumes, scheduling, security, the rest."""

from typing import Any

from conformance.cluster.api import Object
from tests.fidelity import values
from tests.fidelity.model import Case, Draw
from tests.fidelity.mutate import Table, mutated, twice
from tests.fidelity.operations import written
from tests.fidelity.registry import family
from tests.fidelity.requests.pod_placing import SCHEDULING, SECURITY

_MAIN: Object = {"name": "main", "image": "example.com/pause:1"}
_PORT: Object = {"name": "http", "containerPort": 8080, "protocol": "TCP"}
_PROBE: Object = {"httpGet": {"path": "/healthz", "port": 8080}, "periodSeconds": 5}
_SECONDS: tuple[Any, ...] = (0, 1, 30, -1, 2**31 - 1)
_MODES: tuple[Any, ...] = (0, 0o644, 0o777, 0o1000, -1)
_PORTS: tuple[Any, ...] = (80, "http", "Http", "-", "a" * 16, "a--b", 0, 65535, 65536, -1, "1")
_RELATIVE: tuple[Any, ...] = ("a/b", "/a", "../a", "a/..", "..a", "a..b", ".")

CONTAINERS: tuple[Object, Table] = (
    {
        "restartPolicy": "Always",
        "initContainers": [{"name": "first", "image": "example.com/init:1"}],
        "containers": [
            {
                **_MAIN,
                "command": ["sleep"],
                "args": ["60"],
                "workingDir": "/tmp",
                "ports": [_PORT],
                "env": [
                    {"name": "PLAIN", "value": "b"},
                    {"name": "NODE", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}},
                    {"name": "CPUS", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu", "divisor": "1"}}},
                    {"name": "CONFIG", "valueFrom": {"configMapKeyRef": {"name": "settings", "key": "a"}}},
                    {"name": "SECRET", "valueFrom": {"secretKeyRef": {"name": "secret", "key": "a"}}},
                ],
                "envFrom": [{"configMapRef": {"name": "settings"}}],
                "resources": {"requests": {"cpu": "100m", "memory": "64Mi"}, "limits": {"cpu": "1", "memory": "64Mi"}},
                "livenessProbe": _PROBE,
                "readinessProbe": {"exec": {"command": ["true"]}},
                "startupProbe": {"tcpSocket": {"port": "http"}},
                "lifecycle": {"preStop": {"sleep": {"seconds": 1}}},
            }
        ],
    },
    {
        "spec.initContainers": [[], twice, [_MAIN], [{}], [{**_MAIN, "name": "side", "restartPolicy": "Always"}]],
        "spec.initContainers.0.livenessProbe": [_PROBE],
        "spec.initContainers.0.readinessProbe": [_PROBE],
        "spec.initContainers.0.lifecycle": [{"preStop": {"sleep": {"seconds": 1}}}],
        "spec.initContainers.0.restartPolicy": ("Always", "Never", "OnFailure", "Sometimes"),
        "spec.containers": [[], twice, [{}], [_MAIN, {**_MAIN, "name": "other"}]],
        "spec.containers.0.image": ("a", " a", "a ", "", "example.com/a:latest", "example.com/a@sha256:" + "0" * 64),
        "spec.containers.0.imagePullPolicy": ("Always", "IfNotPresent", "Never", "Sometimes", ""),
        "spec.containers.0.terminationMessagePolicy": ("File", "FallbackToLogsOnError", "Bad"),
        "spec.containers.0.terminationMessagePath": ("/dev/x", ""),
        "spec.containers.0.restartPolicy": ("Always", "Never", "OnFailure", "Sometimes"),
        "spec.containers.0.stdin": values.BOOLEANS,
        "spec.containers.0.tty": values.BOOLEANS,
        "spec.containers.0.ports": [[], twice, [{}], [{"containerPort": 80, "hostPort": 80}], [_PORT, _PORT]],
        "spec.containers.0.ports.0.name": ("http", "Http", "-", "a" * 15, "a" * 16, "a--b", "1"),
        "spec.containers.0.ports.0.containerPort": (0, 1, 65535, 65536, -1),
        "spec.containers.0.ports.0.hostPort": (0, 1, 65535, 65536, -1),
        "spec.containers.0.ports.0.protocol": ("TCP", "UDP", "SCTP", "tcp", ""),
        "spec.containers.0.env": [[], twice, [{}], [{"name": "A", "valueFrom": {}}]],
        "spec.containers.0.env.*.name": ("A", "a.b-c", "1A", "a=b", "ä", "", ".", "..", "a b"),
        "spec.containers.0.env.*.value": ("", "x"),
        "spec.containers.0.env.1.valueFrom.fieldRef.fieldPath": (
            *("metadata.name", "metadata.uid", "spec.nodeName", "status.podIP", "status.podIPs", "status.hostIPs"),
            *("metadata.labels['a']", "metadata.annotations['A/b']", "metadata.labels", "metadata.labels['a b']"),
            *("spec.x", "", "spec.host", "status.phase", "metadata.name['a']"),
        ),
        "spec.containers.0.env.1.valueFrom.fieldRef.apiVersion": ("v1", "v2", ""),
        "spec.containers.0.env.2.valueFrom.resourceFieldRef.resource": (
            *("requests.memory", "limits.ephemeral-storage", "limits.hugepages-2Mi", "limits.gpu", ""),
        ),
        "spec.containers.0.env.2.valueFrom.resourceFieldRef.divisor": ("1", "1m", "0", "1Mi", "2"),
        "spec.containers.0.env.*.valueFrom.configMapKeyRef.name": ("a", "A", "", "a/b"),
        "spec.containers.0.env.*.valueFrom.configMapKeyRef.key": ("a.b_c-D", "a/b", "", ".", "..", "..a", "k" * 254),
        "spec.containers.0.env.*.valueFrom.secretKeyRef.key": ("a.b", "a/b", "", "k" * 253),
        "spec.containers.0.env.*.valueFrom.secretKeyRef.optional": values.BOOLEANS,
        "spec.containers.0.envFrom": [[], [{}], [{"secretRef": {"name": "a"}}], [{"prefix": "1=", "secretRef": {}}]],
        "spec.containers.0.envFrom.0.prefix": ("A_", "1", "a=b"),
        "spec.containers.0.resources.requests": [{}, {"a": "1"}, {"a b": "1"}, {"example.com/gpu": "1"}, {"pods": "1"}],
        "spec.containers.0.resources.requests.cpu": ("1", "2", "0", "-1", "1m", "0.1m", "x"),
        "spec.containers.0.resources.requests.memory": ("64Mi", "65Mi", "64.5", "-1", "1e3"),
        "spec.containers.0.resources.requests.ephemeral-storage": ("1Gi", "-1"),
        "spec.containers.0.resources.limits": [
            {},
            {"example.com/gpu": "1"},
            {"example.com/gpu": "1.5"},
            {"kubernetes.io/gpu": "1"},
            {"hugepages-2Mi": "2Mi"},
            {"hugepages-2Mi": "3Mi", "cpu": "1"},
            {"requests.example.com/gpu": "1"},
        ],
        "spec.containers.0.resources.limits.cpu": ("50m", "100m", "2"),
        "spec.containers.0.resizePolicy": [
            [],
            [{"resourceName": "cpu", "restartPolicy": "NotRequired"}],
            [{"resourceName": "cpu", "restartPolicy": "RestartContainer"}],
            [{"resourceName": "gpu", "restartPolicy": "No"}],
        ],
        "spec.containers.0.livenessProbe": [_PROBE, {}, {**_PROBE, "exec": {"command": ["a"]}}, {"grpc": {"port": 1}}],
        "spec.containers.0.livenessProbe.httpGet": [{}, {"port": 80, "scheme": "ftp"}, {"port": 80, "path": "a"}],
        "spec.containers.0.livenessProbe.httpGet.port": _PORTS,
        "spec.containers.0.livenessProbe.httpGet.scheme": ("HTTP", "HTTPS", "http"),
        "spec.containers.0.livenessProbe.httpGet.path": ("", "/", "a"),
        "spec.containers.0.livenessProbe.httpGet.httpHeaders": [[], [{"name": "a", "value": "b"}], [{}]],
        "spec.containers.0.livenessProbe.periodSeconds": _SECONDS,
        "spec.containers.0.livenessProbe.timeoutSeconds": _SECONDS,
        "spec.containers.0.livenessProbe.successThreshold": (0, 1, 2),
        "spec.containers.0.livenessProbe.failureThreshold": _SECONDS,
        "spec.containers.0.livenessProbe.initialDelaySeconds": _SECONDS,
        "spec.containers.0.livenessProbe.terminationGracePeriodSeconds": (0, 1, -1),
        "spec.containers.0.readinessProbe": [{}, _PROBE],
        "spec.containers.0.readinessProbe.exec.command": [[], ["a"]],
        "spec.containers.0.readinessProbe.terminationGracePeriodSeconds": (1,),
        "spec.containers.0.startupProbe.tcpSocket.port": _PORTS,
        "spec.containers.0.startupProbe.successThreshold": (1, 2),
        "spec.containers.0.lifecycle": [{}, {"postStart": {}}, {"postStart": {"exec": {"command": ["a"]}}}],
        "spec.containers.0.lifecycle.preStop.sleep.seconds": (0, 30, 31, -1),
        "spec.restartPolicy": ("Always", "OnFailure", "Never", "Sometimes", ""),
    },
)

VOLUMES: tuple[Object, Table] = (
    {
        "serviceAccountName": "default",
        "volumes": [
            {"name": "scratch", "emptyDir": {}},
            {"name": "host", "hostPath": {"path": "/var/lib", "type": "Directory"}},
            {"name": "settings", "configMap": {"name": "settings", "items": [{"key": "a", "path": "a/b"}]}},
            {"name": "secret", "secret": {"secretName": "secret", "items": [{"key": "a", "path": "a/b"}]}},
            {
                "name": "info",
                "downwardAPI": {"items": [{"path": "labels", "fieldRef": {"fieldPath": "metadata.labels"}}]},
            },
            {
                "name": "token",
                "projected": {
                    "sources": [
                        {"serviceAccountToken": {"path": "token", "expirationSeconds": 3600}},
                        {"configMap": {"name": "ca", "items": [{"key": "ca.crt", "path": "ca.crt"}]}},
                        {"downwardAPI": {"items": [{"path": "ns", "fieldRef": {"fieldPath": "metadata.namespace"}}]}},
                    ]
                },
            },
            {"name": "disk", "persistentVolumeClaim": {"claimName": "disk"}},
        ],
        "containers": [
            {
                **_MAIN,
                "volumeMounts": [
                    {"name": "scratch", "mountPath": "/scratch"},
                    {"name": "host", "mountPath": "/host", "readOnly": True},
                ],
            }
        ],
    },
    {
        "spec.volumes": [[], twice, [{}], [{"name": "scratch"}], [{"name": "scratch", "emptyDir": {}, "hostPath": {}}]],
        "spec.volumes.*.name": (*values.DNS_LABELS, "scratch"),
        "spec.volumes.0.emptyDir": [
            {"medium": "Memory"},
            {"sizeLimit": "1Gi"},
            {"sizeLimit": "-1"},
            {"medium": "Disk"},
        ],
        "spec.volumes.1.hostPath": [{}, {"path": ""}],
        "spec.volumes.1.hostPath.path": ("/a", "a", "/a/../b", "/a/..b", ""),
        "spec.volumes.1.hostPath.type": ("", "DirectoryOrCreate", "Socket", "CharDevice", "Dir"),
        "spec.volumes.2.configMap.name": ("a", "", "A_"),
        "spec.volumes.2.configMap.items": [[], [{}]],
        "spec.volumes.2.configMap.items.0.path": _RELATIVE,
        "spec.volumes.2.configMap.items.0.mode": _MODES,
        "spec.volumes.2.configMap.defaultMode": _MODES,
        "spec.volumes.2.configMap.optional": values.BOOLEANS,
        "spec.volumes.3.secret.secretName": ("a", "", "A_"),
        "spec.volumes.3.secret.defaultMode": _MODES,
        "spec.volumes.3.secret.items.0.key": ("", "a/b"),
        "spec.volumes.3.secret.items.0.path": _RELATIVE,
        "spec.volumes.4.downwardAPI": [{}, {"items": [{}]}, {"items": []}],
        "spec.volumes.4.downwardAPI.defaultMode": _MODES,
        "spec.volumes.4.downwardAPI.items.0.path": _RELATIVE,
        "spec.volumes.4.downwardAPI.items.0.mode": _MODES,
        "spec.volumes.4.downwardAPI.items.0.fieldRef": [
            *(
                {"fieldPath": path}
                for path in ("metadata.annotations", "metadata.labels['a']", "spec.nodeName", "x", "")
            ),
        ],
        "spec.volumes.4.downwardAPI.items.0.resourceFieldRef": [
            {"resource": "limits.cpu"},
            {"resource": "limits.cpu", "containerName": "main"},
        ],
        "spec.volumes.5.projected": [{}, {"sources": []}, {"sources": [{}]}],
        "spec.volumes.5.projected.defaultMode": _MODES,
        "spec.volumes.5.projected.sources": [twice],
        "spec.volumes.5.projected.sources.0": [{"secret": {"name": "a"}}, {"secret": {}}, {"configMap": {"name": ""}}],
        "spec.volumes.5.projected.sources.0.serviceAccountToken.path": _RELATIVE,
        "spec.volumes.5.projected.sources.0.serviceAccountToken.audience": ("a", ""),
        "spec.volumes.5.projected.sources.0.serviceAccountToken.expirationSeconds": (599, 600, 2**32, 2**32 + 1, 0, -1),
        "spec.volumes.5.projected.sources.0.secret": [{"name": "a"}],
        "spec.volumes.5.projected.sources.1.configMap.items": [twice, [{"key": "a", "path": "ns"}]],
        "spec.volumes.5.projected.sources.2.downwardAPI.items": [twice, [{}], []],
        "spec.volumes.6.persistentVolumeClaim": [{}, {"claimName": ""}, {"claimName": "A_"}],
        "spec.volumes.6.persistentVolumeClaim.readOnly": values.BOOLEANS,
        "spec.serviceAccountName": ("a", "A_", ""),
        "spec.containers.0.volumeMounts": [[], twice, [{}], [{"name": "missing", "mountPath": "/x"}]],
        "spec.containers.0.volumeMounts.*.name": ("scratch", "disk", "missing", ""),
        "spec.containers.0.volumeMounts.*.mountPath": ("/a", "a", "/a:b", "", "/host", "/a/../b"),
        "spec.containers.0.volumeMounts.*.subPath": _RELATIVE,
        "spec.containers.0.volumeMounts.*.subPathExpr": ("$(A)", "/a", "../a"),
        "spec.containers.0.volumeMounts.*.mountPropagation": ("None", "HostToContainer", "Bidirectional", "Bad"),
        "spec.containers.0.volumeMounts.*.recursiveReadOnly": ("Disabled", "Enabled", "IfPossible", "Bad"),
        "spec.containers.0.volumeMounts.*.readOnly": values.BOOLEANS,
        "spec.containers.0.volumeDevices": [
            [{"name": "disk", "devicePath": "/dev/a"}],
            [{"name": "scratch", "devicePath": "/dev/a"}],
            [{"name": "missing", "devicePath": "/dev/.."}],
            [{}],
        ],
    },
)


@family("pod spec", weight=5)
def pod_spec(draw: Draw) -> Case:
    """Pods with many fields of one sort, created or changed."""
    spec, table = draw.random.choice((CONTAINERS, CONTAINERS, VOLUMES, SCHEDULING, SECURITY))
    example: Object = {"metadata": {"name": draw.name}, "spec": spec}
    changed, said = mutated(draw, example, table)
    return written(draw, "pods", example, changed, said, namespace="default")
