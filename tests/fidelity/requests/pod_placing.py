"""Fields of pods that say where they may run, and as whom."""

from typing import Any

from conformance.cluster.api import Object
from tests.fidelity import values
from tests.fidelity.mutate import Table, twice

_MAIN: Object = {"name": "main", "image": "example.com/pause:1"}
_PORT: Object = {"name": "http", "containerPort": 8080, "protocol": "TCP"}
_USERS: tuple[Any, ...] = (0, 1000, -1, 2**31 - 1, 2**31)
_NODE_TERMS = "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms"
_TERM: Object = {"labelSelector": {"matchLabels": {"a": "b"}}, "topologyKey": "kubernetes.io/hostname"}
_EXPRESSION: Object = {"key": "example.com/zone", "operator": "In", "values": ["a"]}
_OPERATORS: tuple[Any, ...] = values.SELECTOR_OPERATORS
_WEIGHTS: tuple[Any, ...] = (0, 1, 100, 101, -1)

SCHEDULING: tuple[Object, Table] = (
    {
        "nodeSelector": {"example.com/gpu": "true"},
        "tolerations": [
            {"key": "example.com/x", "operator": "Equal", "value": "a", "effect": "NoExecute", "tolerationSeconds": 5},
            {"operator": "Exists"},
        ],
        "affinity": {
            "nodeAffinity": {
                "requiredDuringSchedulingIgnoredDuringExecution": {
                    "nodeSelectorTerms": [
                        {
                            "matchExpressions": [_EXPRESSION],
                            "matchFields": [{"key": "metadata.name", "operator": "In", "values": ["node-a"]}],
                        }
                    ]
                },
                "preferredDuringSchedulingIgnoredDuringExecution": [
                    {"weight": 1, "preference": {"matchExpressions": [_EXPRESSION]}}
                ],
            },
            "podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [_TERM]},
            "podAntiAffinity": {
                "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1, "podAffinityTerm": _TERM}]
            },
        },
        "topologySpreadConstraints": [
            {
                "maxSkew": 1,
                "topologyKey": "example.com/zone",
                "whenUnsatisfiable": "DoNotSchedule",
                "labelSelector": {"matchLabels": {"a": "b"}},
            }
        ],
        "schedulerName": "default-scheduler",
        "containers": [_MAIN],
    },
    {
        "spec.nodeSelector": [{}, *({key: "v"} for key in values.LABEL_KEYS)],
        "spec.nodeSelector.*": values.LABEL_VALUES,
        "spec.nodeName": ("node-a", "A_", "a.b", ""),
        "spec.schedulingGates": [[], [{"name": "a"}], [{"name": "a"}] * 2, [{}], [{"name": "a b"}]],
        "spec.tolerations": [[], twice, [{}], [{"key": "a"}], [{"operator": "Equal"}]],
        "spec.tolerations.*.key": values.LABEL_KEYS,
        "spec.tolerations.*.operator": ("Equal", "Exists", "Bad", "", "Lt", "Gt"),
        "spec.tolerations.*.value": values.LABEL_VALUES,
        "spec.tolerations.*.effect": ("NoSchedule", "PreferNoSchedule", "NoExecute", "Bad", ""),
        "spec.tolerations.*.tolerationSeconds": (0, 1, -1),
        "spec.affinity": [{}, {"nodeAffinity": {}}],
        _NODE_TERMS: [[], [{}]],
        **{
            f"{_NODE_TERMS}.0.{path}": rows
            for path, rows in {
                "matchExpressions.0.operator": _OPERATORS,
                "matchExpressions.0.values": [[], ["a", "b"], ["1"], ["a b"]],
                "matchExpressions.0.key": values.LABEL_KEYS,
                "matchFields.0.operator": _OPERATORS,
                "matchFields.0.values": [[], ["a", "b"], ["A_"]],
                "matchFields.0.key": ("metadata.name", "metadata.namespace", ""),
            }.items()
        },
        "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution.0.weight": _WEIGHTS,
        "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution.0.preference": [
            {},
            {"matchExpressions": [{**_EXPRESSION, "values": []}]},
            {"matchExpressions": [{**_EXPRESSION, "values": ["a b"]}]},
        ],
        "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution": [[], [{}]],
        **{
            f"spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution.0.{path}": rows
            for path, rows in {
                "topologyKey": ("a", "a b", ""),
                "namespaces": [["a"], ["A_"], []],
                "namespaceSelector": [{}, {"matchLabels": {"a b": "c"}}],
                "labelSelector": [{}, {"matchExpressions": [{"key": "a", "operator": "In"}]}],
                "labelSelector.matchLabels.a": values.LABEL_VALUES,
            }.items()
        },
        "spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution.0.weight": _WEIGHTS,
        "spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution.0.podAffinityTerm": [{}],
        "spec.topologySpreadConstraints": [[], twice, [{}]],
        "spec.topologySpreadConstraints.0.maxSkew": (0, 1, -1),
        "spec.topologySpreadConstraints.0.minDomains": (0, 1, -1),
        "spec.topologySpreadConstraints.0.topologyKey": ("a", "a b", ""),
        "spec.topologySpreadConstraints.0.whenUnsatisfiable": ("ScheduleAnyway", "Bad", ""),
        "spec.topologySpreadConstraints.0.nodeAffinityPolicy": ("Honor", "Ignore", "Bad"),
        "spec.topologySpreadConstraints.0.labelSelector.matchLabels.a": values.LABEL_VALUES,
        "spec.priorityClassName": ("system-node-critical", "system-cluster-critical", "missing", "A_", ""),
        "spec.priority": (0, 1, -1, 2000001000),
        "spec.preemptionPolicy": ("Never", "PreemptLowerPriority", "Bad", ""),
        "spec.runtimeClassName": ("missing", "A_", ""),
        "spec.schedulerName": ("other", ""),
    },
)

_PROFILES: tuple[Any, ...] = (
    {"type": "RuntimeDefault"},
    {"type": "Unconfined"},
    {"type": "Localhost"},
    {"type": "Localhost", "localhostProfile": "a/b"},
    {"type": "Localhost", "localhostProfile": "/a"},
    {"type": "RuntimeDefault", "localhostProfile": "a"},
    {"type": "Bad"},
    {},
)

SECURITY: tuple[Object, Table] = (
    {
        "securityContext": {"runAsUser": 1000, "fsGroup": 1000, "supplementalGroups": [1], "runAsNonRoot": True},
        "hostNetwork": False,
        "dnsPolicy": "ClusterFirst",
        "terminationGracePeriodSeconds": 30,
        "containers": [
            {
                **_MAIN,
                "securityContext": {"runAsUser": 1, "capabilities": {"add": ["NET_ADMIN"], "drop": ["ALL"]}},
                "ports": [_PORT],
            }
        ],
    },
    {
        "spec.securityContext": [{}],
        **{f"spec.securityContext.{key}": _USERS for key in ("runAsUser", "runAsGroup", "fsGroup")},
        "spec.securityContext.supplementalGroups": [[], [-1], [2**31]],
        "spec.securityContext.supplementalGroupsPolicy": ("Merge", "Strict", "Bad"),
        "spec.securityContext.fsGroupChangePolicy": ("Always", "OnRootMismatch", "Bad"),
        "spec.securityContext.seccompProfile": _PROFILES,
        "spec.securityContext.appArmorProfile": _PROFILES,
        "spec.securityContext.sysctls": [
            [{"name": "kernel.shm_rmid_forced", "value": "1"}],
            [{"name": "net.ipv4.ip_forward", "value": "1"}],
            [{"name": "A", "value": "1"}],
            [{}],
        ],
        "spec.containers.0.securityContext": [{}],
        **{f"spec.containers.0.securityContext.{key}": _USERS for key in ("runAsUser", "runAsGroup")},
        "spec.containers.0.securityContext.privileged": values.BOOLEANS,
        "spec.containers.0.securityContext.allowPrivilegeEscalation": values.BOOLEANS,
        "spec.containers.0.securityContext.readOnlyRootFilesystem": values.BOOLEANS,
        "spec.containers.0.securityContext.procMount": ("Default", "Unmasked", "Bad"),
        "spec.containers.0.securityContext.seccompProfile": _PROFILES,
        "spec.containers.0.securityContext.capabilities": [{}, {"add": ["CAP_SYS_ADMIN"]}, {"add": ["ALL", "ALL"]}],
        "spec.hostNetwork": values.BOOLEANS,
        "spec.hostPID": values.BOOLEANS,
        "spec.hostIPC": values.BOOLEANS,
        "spec.hostUsers": values.BOOLEANS,
        "spec.shareProcessNamespace": values.BOOLEANS,
        "spec.dnsPolicy": ("Default", "None", "ClusterFirstWithHostNet", "Bad", ""),
        "spec.dnsConfig": [
            {},
            {"nameservers": ["1.2.3.4"]},
            {"nameservers": ["1.2.3.4"] * 4},
            {"nameservers": ["x"]},
            {"searches": ["a.b", "a_b", "."]},
            {"searches": ["-"]},
            {"options": [{}]},
        ],
        "spec.hostname": values.DNS_LABELS,
        "spec.subdomain": values.DNS_LABELS,
        "spec.setHostnameAsFQDN": values.BOOLEANS,
        "spec.hostAliases": [[{"ip": "1.2.3.4", "hostnames": ["a"]}], [{"ip": "x"}], [{"hostnames": ["A_"]}], [{}]],
        "spec.imagePullSecrets": [[{"name": "a"}], [{}]],
        "spec.readinessGates": [[{"conditionType": "example.com/ok"}], [{}], [{"conditionType": "a b"}]],
        "spec.activeDeadlineSeconds": (1, 0, -1, 2**31 - 1, 2**31),
        "spec.terminationGracePeriodSeconds": (0, 1, -1, 2**31),
        "spec.enableServiceLinks": values.BOOLEANS,
        "spec.automountServiceAccountToken": values.BOOLEANS,
        "spec.serviceAccount": ("a", "default"),
        "spec.overhead": [{"cpu": "1"}, {"cpu": "-1"}],
        "spec.os": [{"name": "linux"}, {"name": "plan9"}, {}],
        "spec.ephemeralContainers": [[], [{"name": "debug", "image": "a"}]],
        "spec.resources": [
            {"requests": {"cpu": "1"}},
            {"limits": {"memory": "1Gi"}, "requests": {"memory": "2Gi"}},
            {"requests": {"example.com/gpu": "1"}},
            {"claims": [{"name": "gpu"}]},
        ],
        "metadata.labels": [{"a": "b"}],
    },
)
