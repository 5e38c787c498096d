"""The configuration of a cluster: what kind and kubeadm are told."""

from pathlib import Path

import yaml

from conformance.cluster.kind.assets import asset

# Features that are off before a minor version: the back-off of fast kubelets, and what the tap needs.
_ON_SINCE = {"KubeletCrashLoopBackOffMax": 35, "MutatingAdmissionPolicy": 36}
_POLICIES_BEFORE = {"admissionregistration.k8s.io/v1beta1": "true"}


def write_config(path: Path, kubernetes: str, *, real_timers: bool, network: bool = False) -> None:
    """Write the cluster's configuration, with kubelets that do not let checks wait unless real timers are asked for.

    kubernetes: version of the nodes, such as 1.37.2; network: whether kind is to bring a network, as the node image
    carries none.
    """
    config = yaml.safe_load(asset("cluster.yaml").read_text(encoding="utf-8"))
    if network:
        del config["networking"]["disableDefaultCNI"]
    off = [name for name, minor in _ON_SINCE.items() if int(kubernetes.split(".")[1]) < minor]
    config["featureGates"] |= dict.fromkeys(off, True)
    if "MutatingAdmissionPolicy" in off:
        config["runtimeConfig"] = _POLICIES_BEFORE
    mount = {"hostPath": str(asset("api-server")), "containerPath": "/dra-conformance/api-server", "readOnly": True}
    config["nodes"][0]["extraMounts"] = [mount]
    parts = ["kubelet.yaml"] if real_timers else ["kubelet.yaml", "kubelet-fast.yaml"]
    kubelet: dict[str, object] = {}
    for part in parts:
        kubelet |= yaml.safe_load(asset(part).read_text(encoding="utf-8"))
    config["kubeadmConfigPatches"].append(yaml.safe_dump(kubelet))
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
