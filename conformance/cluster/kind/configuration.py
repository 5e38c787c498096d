"""The configuration of a cluster: what kind and kubeadm are told."""

from pathlib import Path

import yaml

from conformance.cluster.kind.assets import asset


def write_config(path: Path, *, real_timers: bool, network: bool = False) -> None:
    """Write the cluster's configuration, with kubelets that do not let checks wait unless real timers are asked for.

    network: whether kind is to bring a network, as the node image carries none.
    """
    config = yaml.safe_load(asset("cluster.yaml").read_text(encoding="utf-8"))
    if network:
        del config["networking"]["disableDefaultCNI"]
    mount = {"hostPath": str(asset("api-server")), "containerPath": "/dra-conformance/api-server", "readOnly": True}
    config["nodes"][0]["extraMounts"] = [mount]
    parts = ["kubelet.yaml"] if real_timers else ["kubelet.yaml", "kubelet-fast.yaml"]
    kubelet: dict[str, object] = {}
    for part in parts:
        kubelet |= yaml.safe_load(asset(part).read_text(encoding="utf-8"))
    config["kubeadmConfigPatches"].append(yaml.safe_dump(kubelet))
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
