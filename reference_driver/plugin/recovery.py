"""What a new instance does with what the last one left on the node."""

import threading

from . import log
from .backoff import Backoff
from .checkpoint import PREPARED, PREPARING, ClaimRecord
from .errors import KubeError, PluginError
from .handler import ClaimHandler
from .lock import Deadline


def restore(handler: ClaimHandler) -> None:
    """Make the node fit the checkpoint: finish nothing, undo what was cut short, write missing CDI specs, drop strays.

    Under the lock nobody else is at work, so whatever is half done belongs to a process that died.
    """
    with handler.lock.hold(Deadline(), handler.checkpoint.reload):
        handler.checkpoint.remove_temporaries()
        handler.cdi.remove_temporaries()
        for record in handler.checkpoint.records():
            _restore(handler, record)
        # What a claim has whose file was corrupt stays until Unprepare: its containers may be started again meanwhile.
        known = {record.uid for record in handler.checkpoint.records()} | set(handler.checkpoint.set_aside())
        for path in handler.cdi.leftovers(known):
            path.unlink(missing_ok=True)
            log.warning("CDI spec of an unknown claim removed", file=str(path))
        if handler.metadata:
            for uid in handler.metadata.leftovers(known):
                handler.metadata.remove(uid)


def _restore(handler: ClaimHandler, record: ClaimRecord) -> None:
    try:
        if record.state == PREPARED:
            handler.make_real(record)
        elif record.state == PREPARING:
            handler.discard(record)
            log.warning("Prepare that was cut short undone", claim=record.uid)
    except (OSError, PluginError) as error:  # the kubelet's next call for the claim tries again
        log.warning("claim not restored", claim=record.uid, error=str(error))


def reclaim(handler: ClaimHandler, stop: threading.Event) -> None:
    """Undo claims that are gone from the API server: the kubelet may never ask for it, if it lost its own record."""
    waiting, backoff = handler.checkpoint.records(), Backoff(first=1.0, most=60.0)
    while waiting and not stop.is_set():
        waiting = [record for record in waiting if not _reclaimed(handler, record)]
        if waiting:
            stop.wait(backoff.next())


def _reclaimed(handler: ClaimHandler, record: ClaimRecord) -> bool:
    """Look at one claim; False when that has to be done again."""
    try:
        if handler.reader.in_use(record.ref):
            return True
        with handler.lock.hold(Deadline(), handler.checkpoint.reload):
            if handler.checkpoint.get(record.uid) == record and not handler.reader.in_use(record.ref):
                handler.discard(record)
                log.warning("claim no longer exists, unprepared", claim=record.uid)
        return True
    except (OSError, KubeError) as error:
        log.warning("claim cannot be looked up", claim=record.uid, error=str(error))
        return False
