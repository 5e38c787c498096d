"""A node that nobody looks at: of it there are the pods, as the API shows them, and their logs."""

from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from conformance.cluster.answer import Answer, ClaimRef
from conformance.cluster.api import Api, ApiError, Object
from conformance.cluster.cdi import CdiRegistry
from conformance.cluster.existing.telling import told
from conformance.cluster.protocol import ContainerView, Installation, PluginInfo, Registration
from conformance.cluster.wait import wait_for
from conformance.verdict import Inconclusive, Unseen, WaitTimeout

_TELLS_WITHIN = 20.0


class ApiNode:
    """One node. What is on its disk, and who answers there, cannot be seen."""

    sees_calls = False
    changes_boot_id = False

    def __init__(self, obj: Object, api: Api, root: Path) -> None:
        """obj: the Node object; root: a folder that need not be there, for paths of the node."""
        self.name: str = obj["metadata"]["name"]
        self.hostname: str = (obj["metadata"].get("labels") or {}).get("kubernetes.io/hostname", self.name)
        self.root = root
        self.registry_dir = root / "plugins_registry"
        self.plugins_dir = root / "plugins"
        self.cdi = CdiRegistry(())
        self._api = api

    def registrations(self, driver: str) -> Sequence[Registration]:  # noqa: ARG002
        """None are seen."""
        return ()

    def wait_registered(self, driver: str, *, count: int = 1, timeout: float = 30) -> Sequence[Registration]:  # noqa: ARG002
        """Always raises Unseen."""
        self._unseen()

    def prepare(
        self,
        *claims: ClaimRef,  # noqa: ARG002
        driver: str | None = None,  # noqa: ARG002
        version: str | None = None,  # noqa: ARG002
        timeout: float = 45,  # noqa: ARG002
    ) -> Answer:
        """Always raises Unseen."""
        self._unseen()

    def unprepare(
        self,
        *claims: ClaimRef,  # noqa: ARG002
        driver: str | None = None,  # noqa: ARG002
        version: str | None = None,  # noqa: ARG002
        timeout: float = 45,  # noqa: ARG002
    ) -> Answer:
        """Always raises Unseen."""
        self._unseen()

    def get_info(self, socket: Path, *, authority: str = "") -> PluginInfo:  # noqa: ARG002
        """Always raises Unseen."""
        self._unseen()

    def notify(self, socket: Path, *, refused: str = "") -> str:  # noqa: ARG002
        """Always raises Unseen."""
        self._unseen()

    def host_path(self, path: str) -> Path:
        """Where nothing is."""
        return self.root / path.lstrip("/")

    def container(self, pod_uid: str, name: str) -> ContainerView:
        """What a container has told of itself in its log. Raises Inconclusive."""
        pods = self._api.list("pods", field_selector=f"spec.nodeName={self.name}")["items"]
        meta = next((pod["metadata"] for pod in pods if pod["metadata"]["uid"] == pod_uid), None)
        if meta is None:
            raise Inconclusive(f"there is no pod {pod_uid} on node {self.name}")
        what = f"container {name} of pod {meta['name']} to tell what it sees"
        path = f"/api/v1/namespaces/{meta['namespace']}/pods/{meta['name']}/log"
        try:
            return wait_for(lambda: told(self._text(path, name)), what, timeout=_TELLS_WITHIN)
        except ApiError as error:
            raise Inconclusive(f"the log of container {name} of pod {meta['name']} cannot be read: {error}") from None
        except WaitTimeout:
            raise Inconclusive(f"container {name} of pod {meta['name']} has not told what it sees") from None

    def restart_container(self, pod_uid: str, name: str) -> ContainerView:  # noqa: ARG002
        """Always raises Unseen."""
        self._unseen()

    def restart_kubelet(self) -> None:
        """Always raises Unseen."""
        self._unseen()

    def reboot(self, installation: Installation) -> None:  # noqa: ARG002
        """Always raises Unseen."""
        self._unseen()

    def _text(self, path: str, container: str) -> str:
        return str(self._api.request("GET", path, query={"container": container}).get("message", ""))

    def _unseen(self) -> NoReturn:
        raise Unseen(f"node {self.name} is only looked at through the API")
