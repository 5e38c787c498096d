"""The privileged pod on a node, in which the agent runs. It ends by itself soon after the harness is gone."""

from typing import Any

from conformance.cluster.api import Forbidden
from conformance.cluster.existing.exec import ExecTransport
from conformance.cluster.existing.link import BOOTSTRAP, Link
from conformance.cluster.existing.own import OwnApi
from conformance.cluster.kubeconfig import Access
from conformance.cluster.wait import wait_for
from conformance.verdict import Inconclusive

_HOST, _ALIVE = "/host", "/tmp/dra-conformance-alive"
_CONTAINER = "agent"
_STARTED_WITHIN = 180.0
_ANSWERS_WITHIN = 30.0
_UNUSED_FOR = 30  # seconds; the agent touches the file every second
_WAITING = f"""
import os, time
def used():
    return os.stat("{_ALIVE}").st_mtime if os.path.exists("{_ALIVE}") else began
began = time.time()
while time.time() - used() < {_UNUSED_FOR}:
    time.sleep(1)
"""


class NodePod:
    """One privileged pod, bound to a node."""

    def __init__(self, api: OwnApi, access: Access, namespace: str, node: str, image: str, number: int) -> None:
        self.name = f"node-{number}"
        self._api = api
        self._access = access
        self._namespace = namespace
        self._node = node
        self._image = image

    def start(self) -> None:
        """Create it and wait until it runs. Raises Inconclusive, WaitTimeout."""
        wait_for(self._created, "the default service account of the namespace", timeout=30)
        what = f"the privileged pod {self._namespace}/{self.name} with image {self._image} to run on node {self._node}"
        wait_for(lambda: self._phase() == "Running", what, timeout=_STARTED_WITHIN, otherwise=self._trouble)

    def connect(self) -> Link:
        """A new agent in it. Raises Inconclusive."""
        argv = ["python3", "-c", BOOTSTRAP, _HOST, _ALIVE]
        link = Link(ExecTransport(self._access, self._namespace, self.name, _CONTAINER, argv))
        link.start(_ANSWERS_WITHIN)
        return link

    def _created(self) -> bool:
        """Whether it could be created; not as long as its namespace is too new for that."""
        try:
            self._api.create("pods", self._manifest(), self._namespace)
        except Forbidden as error:
            if "service account" in str(error):
                return False
            raise Inconclusive(f"the privileged pod on node {self._node} is not allowed: {error}") from None
        return True

    def _phase(self) -> str:
        status = self._api.get("pods", self.name, self._namespace).get("status") or {}
        phase = str(status.get("phase", "Pending"))
        if phase in ("Succeeded", "Failed"):
            reason = status.get("message") or status.get("reason") or self._trouble()
            raise Inconclusive(f"the privileged pod on node {self._node} ended at once: {reason}")
        return phase

    def _trouble(self) -> str:
        status = self._api.get("pods", self.name, self._namespace).get("status") or {}
        for row in status.get("containerStatuses") or ():
            for state in (row.get("state") or {}).values():
                if state.get("reason"):
                    return f"{state['reason']}: {state.get('message', '')}".strip(": ")
        return str(status.get("phase", "Pending"))

    def _manifest(self) -> dict[str, Any]:
        return {
            "metadata": {"name": self.name},
            "spec": {
                "nodeName": self._node,
                "hostPID": True,
                "restartPolicy": "Never",
                "terminationGracePeriodSeconds": 1,
                "automountServiceAccountToken": False,
                "enableServiceLinks": False,
                "tolerations": [{"operator": "Exists"}],
                "containers": [
                    {
                        "name": _CONTAINER,
                        "image": self._image,
                        "imagePullPolicy": "IfNotPresent",
                        "command": ["python3", "-c", _WAITING],
                        "securityContext": {"privileged": True, "runAsUser": 0},
                        "volumeMounts": [{"name": "host", "mountPath": _HOST}],
                    }
                ],
                "volumes": [{"name": "host", "hostPath": {"path": "/"}}],
            },
        }
