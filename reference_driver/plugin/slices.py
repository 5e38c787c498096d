"""Keeps the ResourceSlices of one driver on one node as the driver wants them, whoever changes or deletes them."""

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from . import log, metrics
from .backoff import Backoff, Fuse
from .errors import Conflict, KubeError, NotFound
from .kube import KubeClient, Watch
from .pools import Pool, SliceBuilder
from .slice_plan import Plan, Planner, Slice

_LONGEST = 5.0  # seconds between attempts to publish: pods wait for it


class SliceController:
    """Publishes pools and watches over them.

    Two threads: one lists and writes whenever something changed, one watches. Deleted slices (by a restarting kubelet,
    for example) are written again at once. Nothing is touched before the first `publish`. The slices stay when the
    plugin ends: the next instance takes them over, or the kubelet wipes them.
    """

    def __init__(self, client: KubeClient, driver: str, node: str, on_fatal: Callable[[], None]) -> None:
        self.builder = SliceBuilder(driver, node)
        self.planner = Planner(driver, node)
        self._client = client
        self._driver = driver
        self._node = node
        self._selector = {"fieldSelector": f"spec.driver={driver},spec.nodeName={node}"}
        self._changed = threading.Condition()
        self._wanted: dict[str, list[dict[str, Any]]] | None = None
        self._asked = 0  # how often something changed
        self._done = 0  # the value of _asked that the last good sync began with
        self.trouble = "not published yet"  # "" once they are, the error while they cannot be
        self.count = 0  # slices of ours, as of the last good look
        self._stopping = False
        self._resource_version = ""
        self._written: deque[tuple[str, str]] = deque(maxlen=256)
        self._watch: Watch | None = None
        self._on_fatal = on_fatal
        loops = (self._sync_loop, self._watch_loop)
        self._threads = [threading.Thread(target=self._guard, args=(loop,), daemon=True) for loop in loops]

    def start(self) -> None:
        """Begin to work."""
        for thread in self._threads:
            thread.start()

    def publish(self, pools: Mapping[str, Pool]) -> None:
        """Replace what is wanted. Raises PluginError when a pool contradicts itself; what was wanted before stays."""
        wanted = {name: self.builder.build(name, pool) for name, pool in pools.items()}
        with self._changed:
            self._wanted = wanted
            self._touch()

    def wait_published(self, timeout: float | None = None) -> bool:
        """Wait until all that is wanted has been written; False when that took more than `timeout` seconds."""
        with self._changed:
            asked = self._asked
            return self._changed.wait_for(lambda: self._done >= asked, timeout)

    def stop(self) -> None:
        """End the threads; the slices stay."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        if self._watch:
            self._watch.close()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(timeout=1)

    def _guard(self, loop: Callable[[], None]) -> None:
        try:
            loop()
        except Exception:
            log.failure("the slice controller failed")
            self._on_fatal()

    def _touch(self) -> None:
        """Something changed: the slices have to be looked at."""
        with self._changed:
            self._asked += 1
            self._changed.notify_all()

    def _pause(self, seconds: float) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._stopping, timeout=seconds)

    def _sync_loop(self) -> None:
        backoff, fuse = Backoff(most=_LONGEST), Fuse()
        while self._wait_touched():
            try:
                delay = fuse.note() if self._sync() else 0.0
                self.trouble = ""
                backoff.reset()
            except KubeError as error:
                delay, self.trouble = backoff.next(error.retry_after), str(error)
                log.warning("slices not published, will try again", error=str(error), seconds=round(delay, 2))
            self._pause(delay)

    def _wait_touched(self) -> bool:
        with self._changed:
            self._changed.wait_for(lambda: self._stopping or (self._wanted is not None and self._done < self._asked))
            return not self._stopping

    def _sync(self) -> bool:
        """Make the slices right, once; whether anything had to be written. Raises KubeError."""
        with self._changed:
            wanted, asked = dict(self._wanted or {}), self._asked
        started = time.monotonic()
        path = self._client.resource_path("resourceslices")
        listed = self._client.list(path, **self._selector)
        wrote = self._write(wanted, listed.get("items") or [], path)
        self.count = sum(map(len, wanted.values()))
        with self._changed:
            self._resource_version = self._resource_version or listed["metadata"]["resourceVersion"]
            self._done = asked
            self._changed.notify_all()
        if wrote:
            log.info("slices published", pools=len(wanted), ms=round((time.monotonic() - started) * 1000, 1))
        return wrote

    def _write(self, wanted: Mapping[str, list[dict[str, Any]]], items: list[Slice], path: str) -> bool:
        by_pool: dict[str, list[Slice]] = {name: [] for name in wanted}
        for item in items:
            by_pool.setdefault(item["spec"]["pool"]["name"], []).append(item)
        owner = self._owner()
        plans = [self.planner.plan(wanted.get(pool, []), existing, owner) for pool, existing in by_pool.items()]
        for plan in plans:
            self._carry_out(plan, path)
        return any(plans)

    def _owner(self) -> dict[str, Any]:
        try:
            uid = self._client.get(f"/api/v1/nodes/{self._node}")["metadata"]["uid"]
        except NotFound as error:
            message = f"there is no node {self._node} (--node-name, $NODE_NAME) in the cluster: {error}"
            raise NotFound(error.status, error.reason, message) from error
        return {"apiVersion": "v1", "kind": "Node", "name": self._node, "uid": uid, "controller": True}

    def _carry_out(self, plan: Plan, path: str) -> None:
        version = path.split("/")[3]
        for obj in plan.update:
            self._note(obj, self._client.update(f"{path}/{obj['metadata']['name']}", obj))
            metrics.current().slice_written("update")
        for obj in plan.create:
            obj["apiVersion"] = f"resource.k8s.io/{version}"
            self._note(obj, self._client.create(path, obj))
            metrics.current().slice_written("create")
        for obj in plan.delete:
            self._delete(path, obj["metadata"])

    def _note(self, sent: Slice, stored: Slice) -> None:
        self._written.append((stored["metadata"]["uid"], stored["metadata"]["resourceVersion"]))
        if self.planner.note_stored(sent, stored):
            log.warning("the API server did not keep all fields of a slice", slice=stored["metadata"]["name"])

    def _delete(self, path: str, meta: Mapping[str, Any]) -> None:
        try:
            self._client.delete(f"{path}/{meta['name']}", meta["uid"], meta["resourceVersion"])
            metrics.current().slice_written("delete")
        except NotFound:
            pass
        except Conflict:  # changed since the list: judge it anew
            self._touch()

    def _watch_loop(self) -> None:
        backoff = Backoff()
        while self._wait_listed():
            try:
                self._watch_once(backoff)
            except KubeError as error:
                log.warning("watch of the slices ended", error=str(error))
                self._resource_version = ""  # events may have been missed: list, and watch from there
                self._touch()
            self._pause(backoff.next())

    def _wait_listed(self) -> bool:
        with self._changed:
            self._changed.wait_for(lambda: self._stopping or bool(self._resource_version))
            return not self._stopping

    def _watch_once(self, backoff: Backoff) -> None:
        path = self._client.resource_path("resourceslices")
        self._watch = self._client.watch(path, self._resource_version, **self._selector)
        if self._stopping:
            self._watch.close()
        backoff.reset()
        for kind, obj in self._watch:
            meta = obj["metadata"]
            self._resource_version = meta["resourceVersion"]
            if kind != "BOOKMARK" and (meta["uid"], meta["resourceVersion"]) not in self._written:
                self._touch()
