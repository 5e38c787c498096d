"""Binding conditions: devices that are made ready between their allocation and the binding of the pod.

The scheduler waits until all conditions of an allocated device are true; nobody calls the driver then, so it watches.
"""

import threading
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from . import log
from .backoff import Backoff
from .claim_status import ClaimStatus, Entry, conditions, entry_of
from .claims import AllocatedDevice, Claim
from .driver import Driver
from .errors import ClaimError, KubeError, NotFound
from .kube import KubeClient, Watch


class BindingController:
    """Watches claims, has the driver make their devices ready, and sets the conditions. One thread."""

    def __init__(self, client: KubeClient, driver: Driver, on_fatal: Callable[[], None]) -> None:
        self.driver = driver
        self.status = ClaimStatus(client, driver.name, "binding")
        self._client = client
        self._on_fatal = on_fatal
        self._stopping = threading.Event()
        self._watch: Watch | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Begin to work."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread; conditions that are set stay."""
        self._stopping.set()
        if self._watch:
            self._watch.close()
        if self._thread.is_alive():
            self._thread.join(timeout=1)

    def entries(self, claim: Claim) -> list[Entry]:
        """What is to be said of the devices of a claim that have binding conditions."""
        return [self.entry(claim, device) for device in self.waited_for(claim)]

    def entry(self, claim: Claim, device: AllocatedDevice) -> Entry:
        """A device made ready, with all its conditions true, or with those of its failure."""
        try:
            self.driver.make_ready(claim, device)
        except ClaimError as error:
            rows = [_condition(name, "True", "Failed", str(error)) for name in device.binding_failure_conditions]
            return self.status.entry(device, conditions=rows)
        rows = [_condition(name, "True", "Ready", "the device is ready") for name in device.binding_conditions]
        return self.status.entry(device, conditions=rows)

    def waited_for(self, claim: Claim) -> list[AllocatedDevice]:
        """Devices of this instance's pools that the scheduler waits for."""
        pools = self.driver.pools()
        return [device for device in claim.devices if device.binding_conditions and device.pool in pools]

    def look_at(self, obj: Mapping[str, Any]) -> None:
        """Set what is not set yet of one claim. Raises KubeError."""
        try:
            claim = Claim.from_object(obj, self.driver.name)
        except ClaimError:  # not allocated, or without devices of ours
            return
        said = obj["status"].get("devices") or ()
        if all(_is_decided(device, entry_of(said, self.driver.name, device)) for device in self.waited_for(claim)):
            return
        try:
            self.status.write(claim.ref, self.entries(claim))
        except NotFound:
            return
        log.info("binding conditions set", claim=claim.uid)

    def _run(self) -> None:
        backoff = Backoff()
        try:
            while not self._stopping.is_set():
                try:
                    self._follow(backoff)
                except KubeError as error:
                    log.warning("watch of the claims ended", error=str(error))
                self._stopping.wait(backoff.next())
        except Exception:
            log.crash("the controller of binding conditions failed")
            self._on_fatal()

    def _follow(self, backoff: Backoff) -> None:
        path = self._client.resource_path("resourceclaims")
        listed = self._client.list(path)
        for obj in listed.get("items") or ():
            self.look_at(obj)
        self._watch = self._client.watch(path, listed["metadata"]["resourceVersion"])
        if self._stopping.is_set():
            self._watch.close()
        backoff.reset()
        for kind, obj in self._watch:
            if kind in ("ADDED", "MODIFIED"):
                self.look_at(obj)


def _is_decided(device: AllocatedDevice, entry: Mapping[str, Any]) -> bool:
    said = conditions(entry)
    failed = any(said.get(name) == "True" for name in device.binding_failure_conditions)
    return failed or all(said.get(name) == "True" for name in device.binding_conditions)


def _condition(name: str, status: str, reason: str, message: str) -> dict[str, str]:
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {"type": name, "status": status, "reason": reason, "message": message, "lastTransitionTime": now}
