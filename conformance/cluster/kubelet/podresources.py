"""The PodResources service of the kubelet, as far as claims go (pkg/kubelet/apis/podresources)."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc

from conformance.cluster.dra_api import podresources_v1_pb2 as messages
from conformance.cluster.dra_api import podresources_v1_pb2_grpc as stubs
from conformance.cluster.kubelet.checkpoint import ClaimInfo
from conformance.cluster.kubelet.dra import DraError, DraManager
from conformance.cluster.kubelet.sockets import Bound

Object = dict[str, Any]
Pods = Callable[[], Sequence[Object]]


class PodResources:
    """Serves v1 on `kubelet.sock` in a folder, from `start` to `stop`. `pods` gives the pods of the node."""

    def __init__(self, folder: Path, pods: Pods, dra: DraManager) -> None:
        self._socket = folder / "kubelet.sock"
        self._pool = ThreadPoolExecutor(2, thread_name_prefix="pod-resources")
        self._server = grpc.server(self._pool)
        self._bound: Bound | None = None
        stubs.add_PodResourcesListerServicer_to_server(_Lister(pods, dra), self._server)

    def start(self) -> None:
        """Listen. Raises OSError where the folder cannot be made."""
        self._socket.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
        self._socket.unlink(missing_ok=True)
        self._bound = Bound(self._server, self._socket)
        self._server.start()

    def stop(self) -> None:
        """End it; calls in flight are cancelled."""
        self._server.stop(None).wait()
        if self._bound:
            self._bound.close()
        self._pool.shutdown()
        self._socket.unlink(missing_ok=True)


class _Lister(stubs.PodResourcesListerServicer):
    def __init__(self, pods: Pods, dra: DraManager) -> None:
        self._pods = pods
        self._dra = dra

    def List(self, *_: Any) -> Any:
        """Pods that have not ended."""
        active = [pod for pod in self._pods() if (pod.get("status") or {}).get("phase") not in ("Succeeded", "Failed")]
        return messages.ListPodResourcesResponse(pod_resources=[self._pod(pod) for pod in active])

    def GetAllocatableResources(self, *_: Any) -> Any:
        """Nothing: there are no device plugins, and no CPUs or memory that are handed out."""
        return messages.AllocatableResourcesResponse()

    def Get(self, request: Any, context: Any) -> Any:
        """One pod by its name."""
        wanted = (request.pod_namespace, request.pod_name)
        found = [pod for pod in self._pods() if (pod["metadata"]["namespace"], pod["metadata"]["name"]) == wanted]
        if not found:
            text = f"pod {request.pod_name} in namespace {request.pod_namespace} not found"
            context.abort(grpc.StatusCode.UNKNOWN, text)
        return messages.GetPodResourcesResponse(pod_resources=self._pod(found[0]))

    def _pod(self, pod: Object) -> Any:
        meta, spec = pod["metadata"], pod["spec"]
        sidecars = [c for c in spec.get("initContainers") or () if c.get("restartPolicy") == "Always"]
        rows = [
            messages.ContainerResources(name=container["name"], dynamic_resources=self._dynamic(pod, container))
            for container in (*sidecars, *spec["containers"])
        ]
        return messages.PodResources(name=meta["name"], namespace=meta["namespace"], containers=rows)

    def _dynamic(self, pod: Object, container: Object) -> list[Any]:
        try:
            infos = self._dra.used_by(pod, container)
        except DraError:
            return []
        return [
            messages.DynamicResource(
                claim_name=info.name, claim_namespace=info.namespace, claim_resources=list(_resources(info))
            )
            for info in infos
        ]


def _resources(info: ClaimInfo) -> Iterator[Any]:
    for driver, devices in info.drivers.items():
        names: list[str] = []
        for device in devices:
            names += device.cdi_device_ids  # the kubelet begins this list anew for each driver, not for each device
            yield messages.ClaimResource(
                cdi_devices=[messages.CDIDevice(name=name) for name in names],
                driver_name=driver,
                pool_name=device.pool_name,
                device_name=device.device_name,
                share_id=device.share_id,
            )
