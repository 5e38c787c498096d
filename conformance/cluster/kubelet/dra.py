"""The DRA manager: prepares and unprepares the claims of pods (pkg/kubelet/cm/dra/manager.go)."""

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conformance.cluster.answer import ClaimRef, PreparedDevice
from conformance.cluster.api import Api, ApiError
from conformance.cluster.kubelet import checkpoint, metrics
from conformance.cluster.kubelet.checkpoint import ClaimInfo
from conformance.cluster.kubelet.metrics import Metrics
from conformance.cluster.kubelet.plugin import Plugin, PluginError
from conformance.cluster.kubelet.plugins import Plugins
from conformance.cluster.kubelet.podclaims import (
    ClaimRefused,
    Object,
    check_owner,
    check_reserved,
    container_claims,
    container_requests,
    pod_claims,
)
from conformance.cluster.kubelet.rpc import RpcFailed
from conformance.cluster.kubelet.settings import KubeletSettings

PREPARE = "NodePrepareResources"
UNPREPARE = "NodeUnprepareResources"


class DraError(Exception):
    """Preparing or unpreparing failed; the text is the kubelet's, with its prefix."""


class _Failed(Exception):
    """The same inside, without the prefix."""


@dataclass
class _Checked:
    """A claim of a pod after the checks that touch nothing."""

    info: ClaimInfo
    plugins: dict[str, Plugin]


class DraManager:
    """Claims of one node. Its memory is `dra_manager_state`; pods of one node may be handled in parallel.

    Raises CheckpointCorrupt when that file cannot be read.
    """

    def __init__(
        self, plugins: Plugins, api: Api, state_file: Path, settings: KubeletSettings, counted: Metrics
    ) -> None:
        self._plugins = plugins
        self._api = api
        self._state_file = state_file
        self._may_skip = settings.optional_node_operations
        self._metrics = counted
        self._random = random.Random(settings.seed)
        self._lock = threading.RLock()
        self._claims = {(info.namespace, info.name): info for info in checkpoint.load(state_file)}

    def prepare(self, pod: Object) -> None:
        """Prepare all claims of a pod that are not. Raises DraError; drivers that succeeded are not rolled back."""
        began, failed = time.monotonic(), True
        try:
            checked = list(self._check_claims(pod))
            batches, preparing = self._reference(pod["metadata"]["uid"], checked)
            for plugin, claims in self._shuffled(batches.items()):
                self._prepare_batch(plugin, claims)
            self._finish_prepare(preparing)
            failed = False
        except (_Failed, ClaimRefused, PluginError) as error:
            raise DraError(f"prepare dynamic resources: {error}") from None
        finally:
            self._took("PrepareResources", began, failed)

    def unprepare(self, pod: Object) -> None:
        """Unprepare the claims that no other pod of the node uses. Raises DraError; it may be called again."""
        uid, namespace = pod["metadata"]["uid"], pod["metadata"]["namespace"]
        names = [info.name for info in self.claims() if uid in info.pods]
        began, failed = time.monotonic(), True
        try:
            self._unprepare(uid, namespace, names or self._names(pod))
            failed = False
        except (_Failed, ClaimRefused, PluginError) as error:
            raise DraError(f"unprepare dynamic resources: {error}") from None
        finally:
            self._took("UnprepareResources", began, failed)

    def reconcile(self, active: Collection[str]) -> list[str]:
        """Unprepare claims of pods that are not among the active UIDs; why that failed, one text a pod."""
        errors = []
        for uid in sorted({uid for info in self.claims() for uid in info.pods} - set(active)):
            infos = [info for info in self.claims() if uid in info.pods]
            try:
                self._unprepare(uid, infos[0].namespace, [info.name for info in infos])
            except (_Failed, PluginError) as error:
                errors.append(f"unprepare dynamic resources: {error}")
        return errors

    def claims(self) -> list[ClaimInfo]:
        """Everything that it remembers."""
        with self._lock:
            return list(self._claims.values())

    def in_use(self) -> dict[str, int]:
        """How many claims are prepared, by driver and under "<any>"."""
        prepared = [info for info in self.claims() if info.prepared]
        return {**Counter(driver for info in prepared for driver in info.drivers), metrics.ANY_DRIVER: len(prepared)}

    def used_by(self, pod: Object, container: Object) -> list[ClaimInfo]:
        """What is known of the claims that a container uses. Raises DraError where nothing is known of one."""
        namespace = pod["metadata"]["namespace"]
        try:
            names = container_claims(pod, container)
        except ClaimRefused as error:
            raise DraError(str(error)) from None
        with self._lock:
            found = [self._claims.get((namespace, name)) for name in names]
        if None in found:
            raise DraError(f"unable to get information for ResourceClaim {names[found.index(None)]}")
        return [info for info in found if info is not None]

    def _took(self, operation: str, began: float, failed: bool) -> None:
        self._metrics.took(metrics.OPERATIONS, time.monotonic() - began, operation, str(failed).lower())

    def cdi_ids(self, pod: Object, container: Object) -> list[str]:
        """CDI ids for a container, as they go to the runtime: not made unique. Raises DraError."""
        found: list[str] = []
        with self._lock:
            for name, request in _requests(pod, container):
                info = self._claims.get((pod["metadata"]["namespace"], name))
                if info is None:
                    place = f"ResourceClaim {name} in namespace {pod['metadata']['namespace']}"
                    raise DraError(f"internal error: unable to get claim info for {place}")
                for _, devices in self._shuffled(info.drivers.items()):
                    found += _ids(devices, request)
        return found

    def _shuffled(self, items: Iterable[Any]) -> list[Any]:
        # Go's map order; with a seed, so that a run can be repeated.
        rows = list(items)
        with self._lock:
            self._random.shuffle(rows)
        return rows

    def _check_claims(self, pod: Object) -> Iterable[_Checked]:
        """The validation pass: nothing is remembered, so a pod that fails here can be deleted without a driver."""
        for pod_claim in pod_claims(pod):
            if pod_claim.claim is None:
                continue
            claim = self._fetch(pod_claim.claim, pod["metadata"]["namespace"])
            if pod_claim.from_template:
                check_owner(pod, claim)
            check_reserved(pod, claim)
            info = self._new_info(claim)
            drivers = [driver for driver in info.drivers if not info.skipped(driver, PREPARE)]
            yield _Checked(info, {driver: self._plugins.get(driver) for driver in drivers})

    def _new_info(self, claim: Object) -> ClaimInfo:
        info = _new_info(claim)
        if info.skips and not self._may_skip:
            text = "DRAOptionalNodeOperations feature gate is disabled on kubelet"
            raise _Failed(f"ResourceClaim {info.name}: {text}")
        return info

    def _fetch(self, name: str, namespace: str) -> Object:
        try:
            return self._api.get("resourceclaims", name, namespace)
        except ApiError as error:
            raise _Failed(f"fetch ResourceClaim {name}: {error.message}") from None

    def _reference(
        self, pod_uid: str, checked: Iterable[_Checked]
    ) -> tuple[dict[Plugin, list[ClaimInfo]], dict[str, ClaimInfo]]:
        """The cache pass: the pod is noted, and that is on disk, before any driver is called."""
        batches: dict[Plugin, list[ClaimInfo]] = {}
        preparing: dict[str, ClaimInfo] = {}
        with self._lock:
            for item in checked:
                info = self._cached(item.info)
                info.pods.add(pod_uid)
                self._save()
                if info.prepared:
                    continue
                preparing[info.uid] = info
                for driver in info.drivers:
                    if info.skipped(driver, PREPARE):
                        self._metrics.skipped(metrics.PREPARE_SKIPS, driver)
                    else:
                        batches.setdefault(item.plugins.get(driver) or self._plugins.get(driver), []).append(info)
        return batches, preparing

    def _cached(self, new: ClaimInfo) -> ClaimInfo:
        info = self._claims.setdefault((new.namespace, new.name), new)
        if info.uid != new.uid:
            raise _Failed(
                f"old ResourceClaim with same name {new.name} and different UID {info.uid} "
                "still exists (previous pod force-deleted?!)"
            )
        if info.unpreparing:
            raise _Failed(f"ResourceClaim {new.name} is being unprepared")
        return info

    def _prepare_batch(self, plugin: Plugin, claims: list[ClaimInfo]) -> None:
        def take(info: ClaimInfo, result: Any) -> None:
            with self._lock:
                info.drivers[plugin.driver] = [_device(device) for device in result.devices]

        _call(plugin, PREPARE, claims, take)

    def _finish_prepare(self, preparing: dict[str, ClaimInfo]) -> None:
        with self._lock:
            for info in preparing.values():
                info.prepared = True
            self._save()

    def _names(self, pod: Object) -> list[str]:
        return [pod_claim.claim for pod_claim in pod_claims(pod) if pod_claim.claim is not None]

    def _unprepare(self, pod_uid: str, namespace: str, names: Iterable[str]) -> None:
        batches: dict[str, list[ClaimInfo]] = {}
        releasing = []
        with self._lock:
            for name in names:
                info = self._claims.get((namespace, name))
                if info is None or pod_uid not in info.pods:
                    continue
                if len(info.pods) > 1:
                    info.pods.discard(pod_uid)
                    continue
                releasing.append(info)
                info.unpreparing = True
                for driver in info.drivers:
                    if info.skipped(driver, UNPREPARE):
                        self._metrics.skipped(metrics.UNPREPARE_SKIPS, driver)
                    else:
                        batches.setdefault(driver, []).append(info)
        for driver, claims in self._shuffled(batches.items()):
            _call(self._plugins.get(driver), UNPREPARE, claims)
        with self._lock:
            for info in releasing:
                self._claims.pop((info.namespace, info.name), None)
            self._save()

    def _save(self) -> None:
        checkpoint.store(self._state_file, self._claims.values())


def _call(
    plugin: Plugin, method: str, claims: list[ClaimInfo], take: Callable[[ClaimInfo, Any], None] | None = None
) -> None:
    """One call and the kubelet's checks of the answer, in its order. Raises _Failed."""
    try:
        response = plugin.call(method, [ClaimRef(info.namespace, info.name, info.uid) for info in claims])
    except RpcFailed as error:
        raise _Failed(f"{method}: {error}") from None
    by_uid = {info.uid: info for info in claims}
    for uid, result in response.claims.items():
        info = by_uid.get(uid)
        if info is None:
            raise _Failed(f"{method} returned result for unknown claim UID {uid}")
        if result.error:
            raise _Failed(f"{method} failed for ResourceClaim {info.name}: {result.error}")
        if take is not None:
            take(info, result)
    unfinished = len(claims) - len(response.claims)
    if unfinished:
        raise _Failed(f"{method} skipped {unfinished} ResourceClaims")


def _requests(pod: Object, container: Object) -> list[tuple[str, str]]:
    try:
        return container_requests(pod, container)
    except ClaimRefused as error:
        raise DraError(str(error)) from None


def _new_info(claim: Object) -> ClaimInfo:
    meta = claim["metadata"]
    allocation = (claim.get("status") or {}).get("allocation")
    if allocation is None:
        raise _Failed(f"ResourceClaim {meta['name']}: not allocated")
    results = (allocation.get("devices") or {}).get("results") or ()
    info = ClaimInfo(meta["uid"], meta["name"], meta["namespace"])
    for driver in dict.fromkeys(result["driver"] for result in results):
        info.drivers[driver] = []
        skips = [set(r.get("skipNodeOperations") or ()) for r in results if r["driver"] == driver]
        info.skips |= _common_skips(driver, skips)
    return info


def _common_skips(driver: str, skips: list[set[str]]) -> dict[str, list[str]]:
    """Operations that all results of the driver skip; "*" stands for every operation."""
    if all("*" in one for one in skips):
        return {driver: ["*"]}
    every = [{PREPARE, UNPREPARE} if "*" in one else one for one in skips]
    common = sorted(set.intersection(*every))
    return {driver: common} if common else {}


def _device(device: Any) -> PreparedDevice:
    share = device.share_id if "share_id" in device.DESCRIPTOR.fields_by_name and device.HasField("share_id") else None
    return PreparedDevice(
        device.pool_name, device.device_name, tuple(device.request_names), tuple(device.cdi_device_ids), share
    )


def _ids(devices: Iterable[PreparedDevice], request: str) -> list[str]:
    return [
        cdi_id
        for device in devices
        if not request or not device.request_names or request in device.request_names
        for cdi_id in device.cdi_device_ids
    ]
