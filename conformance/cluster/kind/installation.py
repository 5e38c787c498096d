"""The driver under test as pods of a DaemonSet, on one node."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from conformance.cluster.api import Api, Object
from conformance.cluster.kind import logs, processes
from conformance.cluster.kind.instance import DriverPod, PodInstance, tail
from conformance.cluster.kind.manifests import Applier, namespaces_of, pod_templates
from conformance.cluster.local.readiness import unready
from conformance.cluster.protocol import Node
from conformance.cluster.wait import wait_for
from conformance.history import History
from conformance.target import Target
from conformance.verdict import Inconclusive, NotRun, WaitTimeout

_STARTED_WITHIN = 60.0
_LONG = 3600
_LINES = 5
_NOWHERE = "dra-conformance/nowhere"
_REVISION = "dra-conformance/revision"


class PodInstallation:
    """The pods that the driver's DaemonSets have on a node; what ends is started again by the kubelet or by them."""

    def __init__(self, target: Target, node: Node, api: Api, history: History, objects: Sequence[Object]) -> None:
        self.target = target
        self.node = node
        self.objects = objects
        self._api = api
        self._history = history
        self._applier = Applier(api)
        self._known: dict[str, PodInstance] = {}
        self._mark = len(history)

    @property
    def instances(self) -> Sequence[PodInstance]:
        """Living instances, oldest first."""
        for pod in self._pods():
            self._discover(pod)
        return [instance for instance in self._known.values() if instance.alive]

    def start(self, *, uid: str | None = None, next_version: bool = False) -> PodInstance:
        """The instance that the cluster starts: in the pod with this UID, or in any. Raises WaitTimeout, NotRun."""
        if next_version:
            raise NotRun("another version is started by a rolling update here")

        def started() -> PodInstance | None:
            return next((one for one in reversed(self.instances) if uid in (None, one.uid)), None)

        what = f"a container of driver {self.target.driver_name} to run on node {self.node.name}"
        return wait_for(started, what, timeout=_STARTED_WITHIN, otherwise=self._pod_trouble)

    def wait_ready(self, *, timeout: float = 60) -> None:
        """Wait until the only instance is registered and its pools are published and complete. Raises WaitTimeout."""
        what = f"driver {self.target.driver_name} to be ready"
        wait_for(lambda: not self._missing(), what, timeout=timeout, otherwise=self.trouble)

    def trouble(self) -> str:
        """What keeps it from being ready, and its last log lines; "" when it is ready."""
        missing = self._missing()
        if not missing:
            return ""
        log = next((one.log_tail() for one in reversed(list(self._known.values()))), "")
        return f"{missing}; its log ends with:\n{log}" if log else f"{missing}; it logged nothing"

    def restore(self) -> None:
        """Back to exactly one living, ready instance. Raises WaitTimeout when that fails."""
        with suppress(WaitTimeout):
            return self._settle()
        for instance in self.instances:
            instance.delete_pod()
        return self._settle()

    def restart(self) -> PodInstance:
        """SIGKILL the only instance; the kubelet starts it again in the same pod; wait until it is ready."""
        old = self._only()
        self._mark = len(self._history)
        old.kill()
        new = self.start(uid=old.uid)
        self.wait_ready(timeout=self.target.ready_within)
        return new

    @contextmanager
    def roll_out(self) -> Iterator[tuple[PodInstance, PodInstance]]:
        """(old, new): the DaemonSets roll a changed pod template out; the old pod is kept until the block ends."""
        old = self._only()
        self._mark = len(self._history)
        sets = [self._surging(obj) for obj in pod_templates(self.objects)]
        for obj in sets:
            change = {"metadata": {"annotations": {_REVISION: str(time.time_ns())}}}
            rolling = {"rollingUpdate": {"maxSurge": "100%", "maxUnavailable": 0}}
            # An old pod stays until the new one has been ready for so long.
            patch = {"spec": {"minReadySeconds": _LONG, "updateStrategy": rolling, "template": change}}
            self._applier.patch(obj, patch)
        try:
            yield old, self._other(old)
        finally:
            for obj in sets:
                strategy = obj["spec"]["updateStrategy"]
                patch = {"minReadySeconds": obj["spec"].get("minReadySeconds", 0), "updateStrategy": strategy}
                self._applier.patch(obj, {"spec": patch})
            wait_for(lambda: not old.alive, f"pod {old.pod.name} of the old version to end", timeout=_STARTED_WITHIN)

    @contextmanager
    def away(self) -> Iterator[None]:
        """Inside the block no pod of the driver is on the cluster; the old ones are killed, not asked to end."""
        alive = self.instances
        sets = [self._applier.get(obj) for obj in pod_templates(self.objects)]
        for obj in sets:
            self._applier.patch(obj, {"spec": {"template": {"spec": {"nodeSelector": {_NOWHERE: "nowhere"}}}}})
        for instance in alive:
            instance.kill()
        try:
            yield
        finally:
            self._mark = len(self._history)
            for obj in sets:
                patch = {"spec": {"template": {"spec": {"nodeSelector": {_NOWHERE: None}}}}}
                self._applier.patch(obj, patch)
            self.start()

    def stop(self) -> None:
        """Take the driver off the cluster. Raises WaitTimeout, ApiError."""
        self._applier.remove(self.objects)

    def _other(self, old: PodInstance) -> PodInstance:
        def found() -> PodInstance | None:
            return next((one for one in self.instances if one.uid != old.uid), None)

        return wait_for(
            found, "the pod of the next version to start", timeout=_STARTED_WITHIN, otherwise=self._pod_trouble
        )

    def _surging(self, obj: Object) -> Object:
        now = self._applier.get(obj)
        if (now["spec"]["updateStrategy"].get("rollingUpdate") or {}).get("maxSurge", 0) in (0, "0%"):
            raise NotRun(f"DaemonSet {now['metadata']['name']} does not surge: its pods never overlap in an update")
        return now

    def _settle(self) -> None:
        def settled() -> bool:
            return len(self.instances) == 1 and len(self._pods()) == 1 and not self._missing()

        wait_for(settled, "exactly one ready instance", timeout=_STARTED_WITHIN, otherwise=self.trouble)

    def _missing(self) -> str:
        alive = self.instances
        if not alive:
            return f"no container of the driver runs on node {self.node.name}: {self._pod_trouble()}"
        return unready(self.target, self.node, self._api, self._history, alive[-1].since)

    def _only(self) -> PodInstance:
        alive = self.instances
        if len(alive) != 1:
            raise Inconclusive(
                f"{len(alive)} instances of driver {self.target.driver_name} live where one was expected"
            )
        return alive[0]

    def _pods(self) -> list[Object]:
        """Pods of the driver on the node that are not on their way out, oldest first."""
        owners = {obj["metadata"]["name"] for obj in pod_templates(self.objects)}
        found = []
        for namespace in namespaces_of(self.objects):
            pods = self._api.list("pods", namespace, field_selector=f"spec.nodeName={self.node.name}")["items"]
            found += [pod for pod in pods if owners & _owners(pod)]
        return sorted(found, key=lambda pod: (pod["metadata"]["creationTimestamp"], pod["metadata"]["name"]))

    def _discover(self, pod: Object) -> None:
        """Get to know the container that runs in a pod now."""
        for row in (pod.get("status") or {}).get("containerStatuses") or ():
            container_id = str(row.get("containerID", "")).rpartition("//")[2]
            if row["name"] != pod["spec"]["containers"][0]["name"] or not container_id or container_id in self._known:
                continue
            pid = processes.first_process(container_id) if "running" in (row.get("state") or {}) else 0
            if pid:
                with suppress(Inconclusive):
                    process = processes.HostProcess(pid)
                    made = PodInstance(
                        self._pod(pod, row["name"]), container_id, process, self._api, self._history, self._mark
                    )
                    logs.hold(made.pod, self.node)
                    self._known[container_id] = made
                    self._mark = len(self._history)

    def _pod(self, pod: Object, container: str) -> DriverPod:
        meta = pod["metadata"]
        folder = f"/var/log/pods/{meta['namespace']}_{meta['name']}_{meta['uid']}/{container}"
        return DriverPod(
            meta["uid"], meta["name"], meta["namespace"], container, self.node.name, self.node.host_path(folder)
        )

    def _pod_trouble(self) -> str:
        pods = self._pods()
        if not pods:
            return "there is no pod of it"
        rows: list[Any] = (pods[-1].get("status") or {}).get("containerStatuses") or []
        waiting = [(row.get("state") or {}).get("waiting") or {} for row in rows]
        words = [f"{entry.get('reason', '')}: {entry.get('message', '')}" for entry in waiting if entry]
        state = "; ".join(words) or pods[-1]["status"].get("phase", "Pending")
        log = tail(self._pod(pods[-1], pods[-1]["spec"]["containers"][0]["name"]).logs, _LINES)
        said = f"; its log ends with:\n{log}" if log else ""
        return f"pod {pods[-1]['metadata']['name']}: {state}{said}"


def _owners(pod: Object) -> set[str]:
    return {owner["name"] for owner in pod["metadata"].get("ownerReferences") or ()}
