"""What became of kept clusters: listing them, ending one, sweeping those whose process was killed."""

import os
import select
import signal
from contextlib import suppress
from enum import StrEnum
from pathlib import Path

from conformance.cluster.local.container import remove_leftovers
from conformance.cluster.wait import wait_for
from conformance.session.rundir import sweep as sweep_runs
from conformance.up import kubeconfig, record
from conformance.up.place import InUse, Place, folder_of, holder, names
from conformance.up.record import Record
from conformance.verdict import Inconclusive

_PATIENCE = 30.0  # seconds that a process may take to end when it is told to
_GONE_WITHIN = 10.0


class State(StrEnum):
    """Of a kept cluster. UNKNOWN: what it runs in does not answer."""

    STARTING = "starting"
    UP = "up"
    DEAD = "dead"
    UNKNOWN = "unknown"


def clusters() -> list[tuple[Record, State]]:
    """The clusters and their states, sorted by name."""
    found = [(name, record.read(folder_of(name))) for name in names()]
    return [(known, state_of(known)) for _, known in found if known]


def state_of(known: Record) -> State:
    """What became of a cluster."""
    if not known.ready:
        return State.STARTING if holder(known.name) else State.DEAD
    if known.cluster == "kind":
        return _state_of_kind(known)
    return State.UP if holder(known.name) else State.DEAD


def _state_of_kind(known: Record) -> State:
    from conformance.up import kinds

    try:
        return State.UP if kinds.cluster_in(folder_of(known.name), known.name).runs() else State.DEAD
    except Inconclusive:
        return State.UNKNOWN


def sweep() -> list[str]:
    """Remove what is left of clusters whose process was killed; returns their names. Raises Inconclusive.

    One that kind made and that only does not run is no such one.
    """
    swept = []
    for known, state in clusters():
        if state is State.DEAD and not (known.cluster == "kind" and known.ready):
            with suppress(InUse):
                _remove(Place.take(known.name))
                swept.append(known.name)
    return swept


def end(name: str) -> bool:
    """End a cluster and leave nothing behind; whether there was one. Raises BadName, InUse, Inconclusive."""
    if not folder_of(name).is_dir():
        return False
    there = record.read(folder_of(name)) is not None
    _end_process(name)
    _remove(_taken(name))
    return there


def _end_process(name: str) -> None:
    """SIGTERM to the process that sees to a cluster, and SIGKILL if that does not help."""
    pid = holder(name)
    if not pid:
        return
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        if holder(name) != pid:  # it has ended, and the number may be somebody else's
            return
        ended = select.poll()
        ended.register(handle, select.POLLIN)
        for number in (signal.SIGTERM, signal.SIGKILL):
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(handle, number)
            if ended.poll(_PATIENCE * 1000):
                return
    finally:
        os.close(handle)


def _taken(name: str) -> Place:
    place: list[Place] = []

    def taken() -> bool:
        with suppress(InUse):
            place.append(Place.take(name))
        return bool(place)

    wait_for(taken, f"cluster {name} to be let go of by process {holder(name)}", timeout=_GONE_WITHIN)
    return place[0]


def _remove(place: Place) -> None:
    """Remove all that there is of a cluster that nobody sees to."""
    known = record.read(place.path)
    try:
        if known and known.cluster == "kind":
            from conformance.up import kinds

            kinds.cluster_in(place.path, known.name).delete()
        if known and known.run_dir:
            sweep_runs(Path(known.run_dir).parent)
        if known and known.containers:
            with suppress(
                Exception
            ):  # without an engine there are none, and the next one that starts removes them, too
                remove_leftovers()
        if known:
            kubeconfig.remove(known.kubeconfig, known.name)
    except BaseException:
        place.let_go()
        raise
    place.clear()
