"""Preparing and unpreparing claims, so that neither a crash nor an error leaves anything half done.

Prepare writes an intent to the checkpoint, changes the hardware, writes the CDI spec and then marks the record as
prepared. Whatever is found in between can be undone from the record alone, without the claim. A driver that changes no
hardware needs no intent: files that no record knows are removed at the next start. All this is done under the lock;
what makes it outlive a power cut is done before the answer, but after the lock was let go.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from . import log
from .cdi import CdiDevice, CdiFolder
from .checkpoint import PREPARED, PREPARING, Checkpoint, ClaimRecord, PreparedDevice
from .claims import AllocatedDevice, Claim, ClaimReader, ClaimRef
from .driver import Driver, Preparation
from .errors import ClaimError, Unanswered, told
from .health import taint, tolerated
from .lock import Deadline, StateLock
from .metadata import MetadataFolder

_MARGIN = 1.0  # seconds kept for the work itself when reading the claims takes long


@dataclass(frozen=True)
class Answer:
    """The outcome for one claim: its devices, or why there are none; `unread` if nobody could be asked about it."""

    devices: tuple[PreparedDevice, ...] = ()
    error: str = ""
    unread: bool = False


class ClaimHandler:
    """Answers Prepare and Unprepare for the claims of one driver.

    `metadata`: where files of device metadata are kept. `on_prepared` and `on_unprepared` are told what was done; they
    are called under the lock and must not wait.
    """

    metadata: MetadataFolder | None = None
    on_prepared: Callable[[Claim], None] = staticmethod(lambda _: None)
    on_unprepared: Callable[[str], None] = staticmethod(lambda _: None)

    def __init__(
        self, driver: Driver, reader: ClaimReader, checkpoint: Checkpoint, cdi: CdiFolder, lock: StateLock, boot_id: str
    ) -> None:
        self.driver = driver
        self.reader = reader
        self.checkpoint = checkpoint
        self.cdi = cdi
        self.lock = lock
        self.boot_id = boot_id

    def prepare(self, refs: Sequence[ClaimRef], deadline: Deadline) -> dict[str, Answer]:
        """Prepare claims: one answer per UID. Raises OutOfTime when the caller is gone before all were looked at."""
        refs = _once(refs)
        claims = {ref.uid: self._read(ref, deadline, len(refs)) for ref in refs}
        answers = {}
        with self.lock.hold(deadline, self.checkpoint.reload):
            known = {ref.uid for ref in refs if self.checkpoint.get(ref.uid)}
            for ref in refs:
                deadline.check()
                claim = claims[ref.uid]
                if isinstance(claim, Answer):
                    answers[ref.uid] = self._try(ref, partial(self._prepare_known, ref, claim))
                else:
                    answers[ref.uid] = self._try(ref, partial(self._prepare, claim))
        return self._lasting(answers, new=answers.keys() - known)

    def unprepare(self, refs: Sequence[ClaimRef], deadline: Deadline) -> dict[str, Answer]:
        """Unprepare claims by UID alone: they may be gone, or never have been prepared. Raises OutOfTime."""
        answers = {}
        with self.lock.hold(deadline, self.checkpoint.reload):
            for ref in _once(refs):
                deadline.check()
                answers[ref.uid] = self._try(ref, partial(self._unprepare, ref))
        return self._lasting(answers)

    def _lasting(self, answers: dict[str, Answer], new: Collection[str] = ()) -> dict[str, Answer]:
        """The answers, once what they say outlives a power cut; if it may not, errors, and the `new` claims undone."""
        good = [uid for uid, answer in answers.items() if not answer.error]
        try:
            if good:
                self.checkpoint.sync(good)
        except OSError as error:
            failed = Answer(error=f"the node's state cannot be made to last: {error}")
            answers = answers | dict.fromkeys(good, failed)
            with self.lock.hold(Deadline(), self.checkpoint.reload):
                for record in filter(None, map(self.checkpoint.get, new)):
                    self._try(record.ref, partial(self._unprepare, record.ref))
        return answers

    def _read(self, ref: ClaimRef, deadline: Deadline, claims: int) -> Claim | Answer:
        deadline.check()
        if not ref.usable:
            return Answer(error=f"claim {ref}: {ref.uid!r} cannot be a UID")
        remaining = deadline.remaining()
        share = None if remaining is None else max(0.1, min(10.0, (remaining - _MARGIN) / (2 * claims)))
        try:
            return self.reader.read(ref, share)  # the client asks twice when the connection breaks
        except ClaimError as error:
            return Answer(error=str(error), unread=isinstance(error, Unanswered))

    def _try(self, ref: ClaimRef, work: Callable[[], Answer]) -> Answer:
        """Do the work for one claim; whatever goes wrong is its error, and costs no other claim anything."""
        try:
            return work()
        except ClaimError as error:
            return Answer(error=str(error))
        except OSError as error:
            return Answer(error=f"claim {ref}: the node's state cannot be changed: {error}")
        except Exception as error:  # its text may quote the claim's configuration
            log.crash("unexpected error", claim=ref.uid)
            return Answer(error=f"claim {ref}: {told(error)}")

    def _prepare(self, claim: Claim) -> Answer:
        record = self.checkpoint.get(claim.uid)
        if record and (record.state != PREPARED or not record.matches(claim.devices)):
            self.discard(record)  # an attempt that was cut short, or an earlier allocation
            record = None
        self.driver.check(claim)
        if not record:
            self.check_free(claim)
            self.check_well(claim)
            record = self._prepare_anew(claim, self.driver.prepare(claim))
        else:
            self.make_real(record)
        self.on_prepared(claim)
        return Answer(record.devices)

    def _prepare_known(self, ref: ClaimRef, refusal: Answer) -> Answer:
        """A claim that could not be read. While the API server is away, one that is prepared stays so.

        The kubelet asks for claims that it has just read and found reserved for their pod, and unprepares a claim
        before its last pod is gone; so what was prepared under this UID is what is allocated now.
        """
        record = self.checkpoint.get(ref.uid)
        if not refusal.unread or not record or record.state != PREPARED or record.ref != ref:
            return refusal
        self.driver.check(record.claim())
        self.make_real(record)
        log.warning("a prepared claim is answered for from its state file", claim=ref.uid, reason=refusal.error)
        return Answer(record.devices)

    def check_free(self, claim: Claim) -> None:
        """Raise ClaimError when another claim holds a device that cannot be shared with this one."""
        for device in claim.devices:
            for name in (device.device, *self.driver.overlapping(device)):
                self._check_free(claim, replace(device, device=name))

    def _check_free(self, claim: Claim, device: AllocatedDevice) -> None:
        for other in self.checkpoint.holders((device.pool, device.device)):
            if other.uid != claim.uid and any(_excludes(held, device) for held in other.devices):
                raise ClaimError(
                    f"device {device.device} of pool {device.pool} is already prepared for claim {other.ref}"
                    f" (UID {other.uid})"
                )

    def check_well(self, claim: Claim) -> None:
        """Raise ClaimError when a device is sick, unless the claim puts up with that; who has it already keeps it."""
        for device in claim.devices:
            ailment = self.driver.ailment(device)
            if ailment is not None and not tolerated(device.tolerations, taint(self.driver.name)):
                raise ClaimError(f"device {device.device} of pool {device.pool} is unhealthy: {ailment}")

    def _prepare_anew(self, claim: Claim, preparation: Preparation) -> ClaimRecord:
        intent = self.record(claim, preparation)
        if self.driver.changes_hardware:
            self.checkpoint.save(intent)
        try:
            self.driver.apply(intent)
            if intent.spec:
                self.cdi.write(intent.uid, intent.spec)
            record = replace(intent, state=PREPARED)
            self.checkpoint.save(record)
        except Exception:
            self.discard(intent)
            raise
        return record

    def record(self, claim: Claim, preparation: Preparation) -> ClaimRecord:
        """The intent to prepare a claim: all that is needed to finish or to undo it."""
        pairs = enumerate(zip(claim.devices, preparation.edits, strict=True))
        texts = self.metadata.try_to_write(claim, self.driver.attributes) if self.metadata else {}
        mounts = self.mounts(claim, texts)
        named = [CdiDevice(cdi_name(claim, device), edits.and_mounts(mounts[n])) for n, (device, edits) in pairs]
        devices = [
            PreparedDevice(
                pool=device.pool,
                device=device.device,
                requests=(device.base_request,),
                cdi_ids=(self.cdi.device_id(cdi.name),) if cdi.edits else (),
                share_id=device.share_id,
                admin_access=device.admin_access,
            )
            for device, cdi in zip(claim.devices, named, strict=True)
        ]
        spec = self.cdi.spec(named, preparation.common)
        return ClaimRecord(claim.ref, PREPARING, self.boot_id, tuple(devices), spec, preparation.data, texts)

    def mounts(self, claim: Claim, texts: Mapping[str, str]) -> list[list[dict[str, Any]]]:
        """What is mounted with each device of the claim: the file of a request with its first device."""
        requests = [device.base_request for device in claim.devices]
        return [
            [self.metadata.mount(claim, request)]
            if self.metadata and request in texts and request not in requests[:number]
            else []
            for number, request in enumerate(requests)
        ]

    def make_real(self, record: ClaimRecord) -> None:
        """Make sure that what a record says is so: the checkpoint outlives a reboot, hardware and CDI folder do not."""
        if record.boot_id != self.boot_id:
            self.driver.apply(record)
            self.checkpoint.save(replace(record, boot_id=self.boot_id))
        if self.metadata:
            self.metadata.write(record.uid, record.metadata)
        if record.spec and self.cdi.ensure(record.uid, record.spec):
            log.warning("CDI spec was missing, written again", claim=record.uid)

    def _unprepare(self, ref: ClaimRef) -> Answer:
        record = self.checkpoint.get(ref.uid)
        if record:
            self.discard(record)
        elif ref.usable:
            self.cdi.remove(ref.uid)
            self._remove_metadata(ref.uid)
        self.on_unprepared(ref.uid)
        return Answer()

    def discard(self, record: ClaimRecord) -> None:
        """Undo a claim, wholly or half prepared. The record goes last: when this fails, it can be tried again."""
        self.driver.undo(record)
        self.cdi.remove(record.uid)
        self._remove_metadata(record.uid, record.metadata)
        self.checkpoint.delete(record.uid)

    def _remove_metadata(self, uid: str, requests: Collection[str] | None = None) -> None:
        if self.metadata:
            self.metadata.remove(uid, requests)


def cdi_name(claim: Claim, device: AllocatedDevice) -> str:
    """A name that no other device has, of this claim or others; it begins with a letter, as old runtimes insist."""
    pools = sorted({other.pool for other in claim.devices if other.device == device.device})
    number = f"-{pools.index(device.pool)}" if len(pools) > 1 else ""
    return f"claim-{claim.uid}-{device.device}{number}" + (f"-{device.share_id}" if device.share_id else "")


def _once(refs: Sequence[ClaimRef]) -> list[ClaimRef]:
    return list({ref.uid: ref for ref in refs}.values())


def _excludes(held: PreparedDevice, wanted: AllocatedDevice) -> bool:
    """Whether a device that a claim holds cannot be given to another: admin access and other shares do not collide."""
    if held.key != (wanted.pool, wanted.device) or held.admin_access or wanted.admin_access:
        return False
    return held.share_id is None or wanted.share_id is None or held.share_id == wanted.share_id
