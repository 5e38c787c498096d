"""Tells in a claim's status.devices what was prepared for it; nobody waits for that, and a failure is only logged."""

import json
import queue
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from . import log
from .backoff import Backoff
from .claim_status import ClaimStatus, Entry
from .claims import AllocatedDevice, Claim, ClaimRef
from .driver import Driver
from .errors import Conflict, KubeError, NotFound
from .kube import KubeClient

MAX_DATA = 10 * 1024  # bytes of `data` that the API takes
_TRIES = 5


@dataclass(frozen=True, eq=False)
class _Job:
    """The claim of which something is to be said, and when, by time.monotonic()."""

    claim: Claim
    due: float


class DeviceReporter:
    """One thread that writes, in order, what `report` is told.

    delay: seconds that it waits first, so that it does not take time from the Prepare of pods that start together, and
    says nothing of claims that are given back at once.
    """

    delay = 0.1

    def __init__(self, client: KubeClient, driver: Driver, enabled: bool = True) -> None:
        self.driver = driver
        self.status = ClaimStatus(client, driver.name, "devices")
        self.enabled = enabled
        self._reported: dict[str, _Job] = {}
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Begin to write."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread; what was not written yet is not."""
        self._stopping.set()
        self._jobs.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout=1)

    def report(self, claim: Claim) -> None:
        """A claim was prepared; once said, it is not said again when Prepare is repeated."""
        if self.enabled and claim.uid not in self._reported:
            job = self._reported[claim.uid] = _Job(claim, time.monotonic() + self.delay)
            self._jobs.put(job)

    def forget(self, uid: str) -> None:
        """A claim was unprepared; its status goes with its allocation."""
        self._reported.pop(uid, None)

    def entries(self, claim: Claim) -> list[Entry]:
        """What is said of the claim's devices."""
        return [self.entry(device) for device in claim.devices]

    def entry(self, device: AllocatedDevice) -> Entry:
        """A device that is ready, and what the driver knows of it."""
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        ready = {"type": "Ready", "status": "True", "reason": "Prepared", "message": "", "lastTransitionTime": now}
        facts = self.driver.facts(device)
        if len(json.dumps(facts).encode()) > MAX_DATA:
            log.warning("too much to say of a device in a claim's status", device=device.device)
            facts = {}
        more = {"data": facts, "networkData": self.driver.network(device)}
        return self.status.entry(device, conditions=[ready], **{key: value for key, value in more.items() if value})

    def _run(self) -> None:
        while job := self._jobs.get():
            if self._wanted(job):
                self._stopping.wait(job.due - time.monotonic())
            if self._wanted(job):
                self._write(job.claim.ref, self.entries(job.claim))

    def _wanted(self, job: _Job) -> bool:
        return self._reported.get(job.claim.uid) is job

    def _write(self, ref: ClaimRef, entries: Sequence[Entry]) -> None:
        backoff = Backoff()
        for _ in range(_TRIES):
            try:
                return self.status.write(ref, entries)
            except (NotFound, Conflict):  # gone, or replaced: there is nobody to be told
                return None
            except KubeError as error:
                if not self._worth_trying(error):
                    return log.warning("the claim's status cannot be written", claim=ref.uid, error=str(error))
                self._stopping.wait(backoff.next(error.retry_after))
        return log.warning("the claim's status was not written", claim=ref.uid)

    def _worth_trying(self, error: KubeError) -> bool:
        return not self._stopping.is_set() and error.passes
