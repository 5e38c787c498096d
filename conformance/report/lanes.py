"""The lanes of a timeline, read off the history: checks, driver, kubelet, calls, API, claims."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from conformance.history import Event
from conformance.report.transcript import claim_errors

_MOST_ROWS = 8


@dataclass
class Bar:
    """From `start` to `end` (Unix seconds). `look` is its CSS class, `title` what it is, or the first of `count`."""

    start: float
    end: float
    look: str
    title: str
    count: int = 1
    alone: bool = False

    @property
    def label(self) -> str:
        """What a mouse that rests on it is told."""
        return self.title if self.count == 1 else f"{self.title}, and {self.count - 1} more"


Maker = Callable[[Sequence[Event], float], Iterable[list[Bar]]]


def _checks(events: Sequence[Event], end: float) -> Iterator[list[Bar]]:
    rows: dict[str, list[Bar]] = {}
    for start, finish in _pairs(events, "check", lambda e: (e["id"], e["worker"]), "start", "end"):
        verdict = str(finish["verdict"]) if finish else "did not end"
        look = f"v-{verdict.lower().replace('_', '-')}" if finish else "t-bad"
        bar = Bar(start.time, finish.time if finish else end, look, f"{start['id']}: {verdict}", alone=True)
        rows.setdefault(str(start["worker"]), []).append(bar)
    yield from rows.values()


def _processes(events: Sequence[Event], end: float) -> Iterator[list[Bar]]:
    """A row for each node of each worker: when the driver's processes lived; before it began, from the beginning."""
    rows: dict[tuple[str, str], list[Bar]] = {}
    living: dict[object, Bar] = {}
    for event in events:
        if event.kind != "process":
            continue
        place = _place(event)
        key, row, name = (place, event["pid"]), rows.setdefault(place, []), event["name"]
        if event["phase"] == "signalled":
            row.append(Bar(event.time, event.time, "t-bad", f"{name} on {event['node']} gets {event['signal']}"))
        elif event["phase"] == "started":
            living[key] = Bar(event.time, end, "t-driver", f"{name} on {event['node']}")
            row.append(living[key])
        else:
            bar = living.pop(key, None)
            if bar is None:
                bar = Bar(events[0].time, end, "t-driver", f"{name} on {event['node']}")
                row.append(bar)
            bar.end, bar.title = event.time, f"{bar.title}, ended with {event['status']}"
    yield from rows.values()


_GONE = ("deregistered", "unregistered")
_AWAY = ("stopped", "rebooted", "wiped", "unusable")


def _kubelet(events: Sequence[Event], end: float) -> Iterator[list[Bar]]:
    """Two rows for each node of each worker: how long sockets were registered, and what else the kubelet did."""
    rows: dict[tuple[tuple[str, str], int], list[Bar]] = {}
    open_: dict[tuple[tuple[str, str], str], Bar] = {}
    for event in events:
        if event.kind != "kubelet":
            continue
        node, action, details = str(event["node"]), str(event["action"]), str(event["details"] or "")
        place = _place(event)
        socket = (place, details)
        if action == "registered" and socket not in open_:
            open_[socket] = Bar(event.time, end, "t-kubelet", f"{event['driver']} registered on {node} as {details}")
            rows.setdefault((place, 0), []).append(open_[socket])
        elif action in _GONE:
            before = Bar(events[0].time, end, "t-kubelet", f"{event['driver']} registered on {node} as {details}")
            bar = open_.pop(socket, before)
            bar.end = event.time
            if bar is before:
                rows.setdefault((place, 0), []).append(bar)
        else:
            title = " ".join(filter(None, (action, str(event["pod"] or event["driver"] or ""), details)))
            look = "t-bad" if action == "prepare_failed" else "t-away" if action in _AWAY else "t-kubelet"
            rows.setdefault((place, 1), []).append(Bar(event.time, event.time, look, title))
    yield from (rows[key] for key in sorted(rows))


def _place(event: Event) -> tuple[str, str]:
    """Worker and node: each worker's cluster has nodes of the same names."""
    return str(event["worker"] or ""), str(event["node"])


_METHODS = {"NodePrepareResources": 0, "NodeUnprepareResources": 1}


def _calls(events: Sequence[Event], end: float) -> Iterator[list[Bar]]:
    """Prepare, Unprepare, then what registers; streams of health are left out, as they last as long as the driver."""
    rows: list[list[Bar]] = [[], [], []]
    for start, finish in _pairs(events, "rpc", lambda e: (e["id"], e["worker"]), "start", "end"):
        if start["method"] == "NodeWatchResources":
            continue
        code = str(finish["code"]) if finish else "not answered"
        bar = Bar(start.time, finish.time if finish else end, "t-call", f"{start['method']} {code}")
        if finish is None or code != "OK" or claim_errors(finish):
            bar.look = "t-bad"
        rows[_METHODS.get(str(start["method"]), 2)].append(bar)
    yield from rows


def _requests(events: Sequence[Event], _end: float) -> Iterator[list[Bar]]:
    """What the driver asked the API server, then what became of slices."""
    asked = [event for event in events if event.kind == "request"]
    yield [
        Bar(event.time, event.time, "t-bad" if int(event["code"] or 0) >= 400 else "t-api", _request(event))
        for event in asked
    ]
    yield [
        Bar(event.time, event.time, "t-slice", f"slice {event['object']['metadata'].get('name')} {event['type']}")
        for event in events
        if event.kind == "api" and event["resource"] == "resourceslices"
    ]


def _request(event: Event) -> str:
    words = (event["user"], event["verb"], event["resource"], event["name"], event["code"], event["message"])
    return " ".join(str(word) for word in words if word)


def _claims(events: Sequence[Event], end: float) -> Iterator[list[Bar]]:
    """Claims from when they were made to when they were gone, packed into as few rows as they need."""
    bars: dict[str, Bar] = {}
    for event in events:
        if event.kind == "api" and event["resource"] == "resourceclaims":
            metadata = event["object"]["metadata"]
            name = f"{metadata.get('namespace')}/{metadata.get('name')}"
            bar = bars.setdefault(str(metadata.get("uid")), Bar(event.time, end, "t-claim", name))
            if event["type"] == "DELETED":
                bar.end = event.time
    rows: list[list[Bar]] = []
    for bar in bars.values():
        free = next((row for row in rows if row[-1].end <= bar.start), None)
        if free is None and len(rows) < _MOST_ROWS:
            rows.append(free := [])
        (rows[-1] if free is None else free).append(bar)
    yield from rows


def _pairs(
    events: Sequence[Event], kind: str, key: Callable[[Event], object], first: str, last: str
) -> Iterator[tuple[Event, Event | None]]:
    """Beginnings with their ends, in the order of the beginnings; None for what has not ended."""
    ends: dict[object, list[Event]] = {}
    for event in events:
        if event.kind == kind and event["phase"] == last:
            ends.setdefault(key(event), []).append(event)
    for event in events:
        if event.kind == kind and event["phase"] == first:
            after = [end for end in ends.get(key(event), []) if end.seq > event.seq]
            yield event, after[0] if after else None


MAKERS: Mapping[str, Maker] = {
    "Checks": _checks,
    "Driver": _processes,
    "Kubelet": _kubelet,
    "Calls": _calls,
    "API": _requests,
    "Claims": _claims,
}
"""What makes the rows of each lane, given the events and when the last one was."""
