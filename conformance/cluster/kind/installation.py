"""The driver under test as pods of a DaemonSet, on one node."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from conformance.cluster.api import Api, Object
from conformance.cluster.hooks import run_hook
from conformance.cluster.kind import conditions, logs, processes, workloads
from conformance.cluster.kind.instance import DriverPod, PodInstance, after_others, tail
from conformance.cluster.kind.manifests import Applier
from conformance.cluster.kind.next_version import NextVersion
from conformance.cluster.kind.node import SHADOW
from conformance.cluster.kind.workloads import namespaces_of, pod_templates
from conformance.cluster.local.readiness import sockets, unready
from conformance.cluster.protocol import Node
from conformance.cluster.wait import seen_within, wait_for
from conformance.history import History
from conformance.target import Target
from conformance.verdict import Inconclusive, NotRun, WaitTimeout

_STARTED_WITHIN = 60.0
_PLACED_WITHIN = 5.0
_LONG = 3600
_LINES = 5
_REVISION = "dra-conformance/revision"
_FOLDERS = (workloads.REGISTRY, SHADOW)


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
        install = target.file.install
        self._next = NextVersion(self._applier, install.next_version if install else None)

    @property
    def state_dir(self) -> Path:
        """The folder of the node in which drivers keep their state."""
        return self.node.plugins_dir / self.target.driver_name

    @property
    def instances(self) -> Sequence[PodInstance]:
        """Living instances, oldest first."""
        for pod in self._pods():
            self._discover(pod)
        return [instance for instance in self._known.values() if instance.alive]

    def placed(self) -> bool:
        """Whether there is a pod of the driver on the node, or comes soon."""
        return bool(seen_within(self._pods, _PLACED_WITHIN))

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
        self._next.take_back(timeout=_STARTED_WITHIN)
        self._remove_dead_sockets()
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

    def hook(self, name: str, *, device: str = "", pool: str = "") -> None:
        """Run a hook of the driver file here, with the node's folders as they are seen from here.

        Raises NotRun, Inconclusive.
        """
        values = self._places()
        run_hook(self.target, name, values, self._history, node=self.node.name, device=device, pool=pool)

    def _places(self) -> dict[str, str]:
        """Values for placeholders that depend on the node; there is no kubeconfig for the driver in a file here."""
        node, alive = self.node, self.instances
        paths = {
            "kubelet_dir": "/var/lib/kubelet",
            "plugins_dir": "/var/lib/kubelet/plugins",
            "registry_dir": "/var/lib/kubelet/plugins_registry",
            "cdi_dir": "/var/run/cdi",
            "boot_id_file": "/proc/sys/kernel/random/boot_id",
        }
        return {
            **{name: str(node.host_path(path)) for name, path in paths.items()},
            "node_name": node.name,
            "node_root": str(node.root),
            "pod_uid": alive[-1].uid if alive else "",
            "instance": "",
            "kubeconfig": "",
        }

    @contextmanager
    def roll_out(self) -> Iterator[tuple[PodInstance, PodInstance]]:
        """(old, new): the DaemonSets roll the next version out; the old pod is kept until the block ends.

        Where the driver file gives no next version it is this one once more. `restore` goes back to this one.
        """
        with self.overlapping() as both, self.updating():
            yield both()

    @contextmanager
    def overlapping(self) -> Iterator[Callable[[], tuple[PodInstance, PodInstance]]]:
        """To be put around `updating` of any node's installation: waits for (old, new) on this one when asked.

        At its end the old pod has ended.
        """
        old = self._only()
        # Beside an old pod that is not ready no new one is started: it is replaced at once.
        what = f"pod {old.pod.name} of the old version to be ready"
        wait_for(lambda: self._is_ready(old), what, timeout=_STARTED_WITHIN)
        self._mark = len(self._history)
        yield lambda: (old, self._other(old))
        wait_for(lambda: not old.alive, f"pod {old.pod.name} of the old version to end", timeout=_STARTED_WITHIN)

    @contextmanager
    def updating(self) -> Iterator[None]:
        """The next version is rolled out to all nodes; old pods are kept until the block ends."""
        sets = [self._surging(obj) for obj in self._workloads()]
        for obj in sets:
            revision = {"metadata": {"annotations": {_REVISION: str(time.time_ns())}}}
            change = {**revision, **self._next.change(obj)}
            rolling = {"rollingUpdate": {"maxSurge": "100%", "maxUnavailable": 0}}
            # An old pod stays until the new one has been ready for so long.
            patch = {"spec": {"minReadySeconds": _LONG, "updateStrategy": rolling, "template": change}}
            self._applier.patch(obj, patch)
        try:
            yield
        finally:
            for obj in sets:
                strategy = obj["spec"]["updateStrategy"]
                patch = {"minReadySeconds": obj["spec"].get("minReadySeconds", 0), "updateStrategy": strategy}
                self._applier.patch(obj, {"spec": patch})

    @contextmanager
    def away(self) -> Iterator[None]:
        """Inside the block no pod of the driver is on the cluster; the old ones are killed, not asked to end."""
        alive = self.instances
        sets = [self._applier.get(obj) for obj in self._workloads()]
        for obj in sets:
            self._applier.patch(obj, workloads.without_pods(obj))
        for instance in alive:
            instance.kill()
        try:
            # Until its pod is gone the kubelet may start the driver once more.
            wait_for(lambda: not self._pods(), "the pods of the driver to be gone", timeout=_STARTED_WITHIN)
            yield
        finally:
            self._mark = len(self._history)
            for obj in sets:
                self._applier.patch(obj, workloads.with_pods(obj))
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

    def _workloads(self) -> list[Object]:
        """The objects that make pods of the driver."""
        found = list(pod_templates(self.objects))
        return self._drivers(found, lambda obj: obj["spec"]["template"]["spec"]) or found

    def _surging(self, obj: Object) -> Object:
        if obj["kind"] != "DaemonSet":
            raise NotRun(f"{obj['kind']} {obj['metadata']['name']} is no DaemonSet: its pods do not overlap on a node")
        now = self._applier.get(obj)
        if (now["spec"]["updateStrategy"].get("rollingUpdate") or {}).get("maxSurge", 0) in (0, "0%"):
            raise NotRun(f"DaemonSet {now['metadata']['name']} does not surge: its pods never overlap in an update")
        return now

    def _remove_dead_sockets(self) -> None:
        """Remove sockets that nobody listens on: what is left of pods that were killed, and not started again."""
        bound = {name for instance in self.instances for name in instance.sockets}
        for path in sockets(self.node.registry_dir):
            # Asked only where no living instance has it: a connection is a disturbance of its own.
            if path.name not in bound and processes.refuses(path):
                path.unlink(missing_ok=True)

    def _settle(self) -> None:
        def settled() -> bool:
            one_of_each = len(self.instances) == len(self._pods()) == 1
            return one_of_each and not self._missing() and len(self.node.registrations(self.target.driver_name)) <= 1

        wait_for(settled, "exactly one ready instance", timeout=_STARTED_WITHIN, otherwise=self.trouble)

    def _missing(self) -> str:
        alive = self.instances
        if not alive:
            return f"no container of the driver runs on node {self.node.name}: {self._pod_trouble()}"
        wanted = self.target.file.install.readiness if self.target.file.install else ()
        return conditions.unmet(self._applier, wanted) or unready(
            self.target, self.node, self._api, self._history, alive[-1].since
        )

    def _only(self) -> PodInstance:
        alive = self.instances
        if len(alive) != 1:
            raise Inconclusive(
                f"{len(alive)} instances of driver {self.target.driver_name} live where one was expected"
            )
        return alive[0]

    def _is_ready(self, instance: PodInstance) -> bool:
        pods = (pod for pod in self._pods() if pod["metadata"]["name"] == instance.pod.name)
        conditions = [row for pod in pods for row in (pod.get("status") or {}).get("conditions") or ()]
        return any(row["type"] == "Ready" and row["status"] == "True" for row in conditions)

    def _pods(self) -> list[Object]:
        """Pods of the driver on the node that are not on their way out, oldest first."""
        found = []
        for namespace in namespaces_of(self.objects):
            pods = self._api.list("pods", namespace, field_selector=f"spec.nodeName={self.node.name}")["items"]
            found += pods
        found = self._drivers(found, lambda pod: pod["spec"])
        return sorted(found, key=lambda pod: (pod["metadata"]["creationTimestamp"], pod["metadata"]["name"]))

    def _discover(self, pod: Object) -> None:
        """Get to know the container that runs in a pod now."""
        for row in (pod.get("status") or {}).get("containerStatuses") or ():
            container_id = str(row.get("containerID", "")).rpartition("//")[2]
            if row["name"] != self._driver_container(pod["spec"]) or not container_id or container_id in self._known:
                continue
            pid = processes.first_process(container_id) if "running" in (row.get("state") or {}) else 0
            if pid:
                with suppress(Inconclusive):
                    process = processes.HostProcess(pid)
                    made = PodInstance(
                        self._pod(pod, row["name"]),
                        container_id,
                        process,
                        self._api,
                        self._history,
                        max(self._mark, after_others(self._history, pod["metadata"]["uid"])),
                    )
                    logs.hold(made.pod, self.node)
                    self._known[container_id] = made
                    self._mark = len(self._history)

    def _drivers(self, found: Sequence[Object], spec_of: Callable[[Object], Object]) -> list[Object]:
        """Those that are the driver: that mount the registry, or where none does, a folder above it."""
        if not self.target.driver.node_plugin:
            return list(found)
        exact = [obj for obj in found if workloads.driver_container(spec_of(obj), _FOLDERS, above=False)]
        return exact or [obj for obj in found if workloads.driver_container(spec_of(obj), _FOLDERS)]

    def _driver_container(self, spec: Object) -> str:
        """Name of the container that is the driver."""
        return workloads.driver_container(spec, _FOLDERS) or str(spec["containers"][0]["name"])

    def _pod(self, pod: Object, container: str) -> DriverPod:
        meta = pod["metadata"]
        folder = f"/var/log/pods/{meta['namespace']}_{meta['name']}_{meta['uid']}/{container}"
        return DriverPod(
            meta["uid"], meta["name"], meta["namespace"], container, self.node.name, self.node.host_path(folder)
        )

    def _pod_trouble(self) -> str:
        pods = self._pods()
        if not pods:
            where = ", ".join(namespaces_of(self.objects))
            return f"in namespace {where} there is no pod that mounts {workloads.REGISTRY} of the node"
        rows: list[Any] = (pods[-1].get("status") or {}).get("containerStatuses") or []
        waiting = [(row.get("state") or {}).get("waiting") or {} for row in rows]
        words = [f"{entry.get('reason', '')}: {entry.get('message', '')}" for entry in waiting if entry]
        state = "; ".join(words) or pods[-1]["status"].get("phase", "Pending")
        log = tail(self._pod(pods[-1], self._driver_container(pods[-1]["spec"])).logs, _LINES)
        said = f"; its log ends with:\n{log}" if log else ""
        return f"pod {pods[-1]['metadata']['name']}: {state}{said}"
