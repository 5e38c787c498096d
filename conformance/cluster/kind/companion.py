"""The companion on a node of a real cluster: the reference driver's manifests, with other names in them."""

import json
import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from conformance.cluster.api import Api, Object
from conformance.cluster.companion import NAME, SILENT, remove_specs
from conformance.cluster.kind.deploying import deploy
from conformance.cluster.kind.installation import PodInstallation
from conformance.cluster.kind.manifests import Applier, objects_of
from conformance.cluster.kind.node import KindNode
from conformance.cluster.leaving import delete_slices, delete_users_of
from conformance.history import History
from conformance.target import Target

_NAMES = {"gpu.example.com": NAME, "gpu-driver": "companion-driver"}


@contextmanager
def installed(target: Target, node: KindNode, api: Api, history: History, shadow: str) -> Iterator[PodInstallation]:
    """Inside the block it runs, ready, on the node; `shadow` as in `deploy`. Raises ApiError, WaitTimeout."""
    objects = renamed(objects_of(target), node.name)
    with ExitStack() as leaving:
        leaving.callback(shutil.rmtree, node.plugins_dir / target.driver_name, ignore_errors=True)
        leaving.callback(remove_specs, node.host_path("/var/run/cdi"))
        leaving.callback(delete_slices, api, f"spec.driver={target.driver_name}")
        leaving.callback(Applier(api).remove, objects)
        deploy(api, target, (), objects, shadow)
        companion = PodInstallation(target, node, api, history, objects)
        leaving.callback(delete_users_of, api, target.driver_name)
        companion.start()
        companion.wait_ready(timeout=target.ready_within)
        yield companion


def renamed(objects: Sequence[Object], node: str) -> list[Object]:
    """The reference driver's objects as those of the companion, its pods on one node only."""
    text = json.dumps(list(objects))
    for name, other in _NAMES.items():
        text = text.replace(name, other)
    made: list[Object] = json.loads(text)
    for obj in made:
        if obj["kind"] == "DeviceClass":  # two classes for one resource: the scheduler forgets both when one goes
            obj["spec"].pop("extendedResourceName", None)
        if obj["kind"] == "DaemonSet":
            spec = obj["spec"]["template"]["spec"]
            spec["nodeSelector"] = {"kubernetes.io/hostname": node}
            driver = spec["containers"][0]
            driver["args"] = [*driver["args"], f"--driver-name={NAME}", SILENT]
    return made
