"""Evidence on the page: what opens below a finding, cut to what a page can hold; the folder of the report has all."""

from collections.abc import Sequence
from dataclasses import dataclass

from conformance.history import Event
from conformance.report.byhand import by_hand
from conformance.report.model import CheckResult
from conformance.report.objects import MOST, Change, changes
from conformance.report.recorded import Recorded
from conformance.report.timeline import Timeline, timeline
from conformance.report.transcript import Call, calls
from conformance.verdict import Verdict

DETAILED = (Verdict.FAIL, Verdict.WARN, Verdict.WAIVED, Verdict.INCONCLUSIVE)
"""Verdicts whose evidence is on the page in full; of the others there are the calls, a line each."""

_MOST_CALLS, _MOST_LINES = 60, 40
_LONGEST = 16_000  # characters of one text
_ALL = 900_000  # characters of all evidence of a page
_MARKUP = 40  # characters that the page puts around a line or a bar
_CUT = "… cut here; all of it is in the report's folder"


@dataclass
class Evidence:
    """What is shown of one check. `lines`: its calls in a line each; the rest only of checks with a finding."""

    lines: Sequence[str] = ()
    calls: Sequence[Call] = ()
    changes: Sequence[Change] = ()
    logs: Sequence[tuple[str, str]] = ()
    cdi: str = ""
    timeline: Timeline | None = None
    by_hand: str = ""
    started: float = 0.0
    trouble: str = ""


@dataclass
class Room:
    """How many characters of evidence a page still has room for."""

    left: int = _ALL

    def first(self, text: str) -> str:
        """The beginning of a text, as much of it as there is room for."""
        size = max(min(_LONGEST, self.left), 0)
        self.left -= min(len(text), size)
        return text if len(text) <= size else f"{text[:size]}\n{_CUT}"

    def last(self, text: str) -> str:
        """The end of a text, where logs have the cause."""
        size = max(min(_LONGEST, self.left), 0)
        self.left -= min(len(text), size)
        return text if len(text) <= size else f"{_CUT}\n{text[len(text) - size :]}"


def evidence(result: CheckResult, known: Recorded, room: Room, registry: str = "") -> Evidence:
    """The evidence of one check; where it is not as expected, why it cannot be shown.

    registry: the mirror that the run had its images from.
    """
    try:
        return _evidence(result, known, room, registry)
    except Exception as error:
        # What a run says must not hang on what can be shown of it.
        return Evidence(trouble=f"The evidence could not be shown ({type(error).__name__}: {error}); see the files.")


def _evidence(result: CheckResult, known: Recorded, room: Room, registry: str) -> Evidence:
    events = known.of_check.get(result.id, [])
    seen = list(calls(events))
    if room.left <= 0:
        return Evidence(trouble="There is no room left on this page for its evidence; see the files.")
    if result.verdict not in DETAILED:
        lines = [f"{call.after:8.3f} s  {call.line}" for call in seen]
        more = [f"… {len(lines) - _MOST_LINES} more"] if len(lines) > _MOST_LINES else []
        return Evidence(lines=[*lines[:_MOST_LINES], *more] if room.first("\n".join(lines)) else [])
    earlier = [event for event in known.events if event.kind == "api" and events and event.seq < events[0].seq]
    return Evidence(
        calls=[_fitted(call, room) for call in seen[:_MOST_CALLS]],
        changes=[_shortened(change, room) for change in list(changes(events))[:MOST]],
        logs=_logs(result, known, room),
        cdi=room.first(known.text(_file(result, "cdi.txt"))),
        timeline=_drawn(events, room),
        by_hand=room.first(by_hand(events, earlier, result.node_id.partition("::")[0], registry)),
        started=events[0].time if events else 0.0,
    )


def _fitted(call: Call, room: Room) -> Call:
    return Call(call.after, call.line, call.bad, room.first(call.request), room.first(call.response))


def _shortened(change: Change, room: Room) -> Change:
    text = room.first("\n".join(sign + line for sign, line in change.lines))
    room.left -= _MARKUP * text.count("\n")
    return Change(change.at, change.what, [(line[:1], line[1:]) for line in text.splitlines()])


def _drawn(events: Sequence[Event], room: Room) -> Timeline | None:
    drawing = timeline(events)
    bars = [bar for lane in drawing.lanes for row in lane.rows for bar in row] if drawing else []
    room.left -= sum(3 * _MARKUP + len(bar.label) for bar in bars)
    return drawing


def _logs(result: CheckResult, known: Recorded, room: Room) -> list[tuple[str, str]]:
    names = [path for path in result.evidence if path.endswith((".log", "traceback.txt"))]
    texts = [(path, known.text(path)) for path in names]
    return [(path.rpartition("/")[2], room.last(text.strip())) for path, text in texts if text.strip()]


def _file(result: CheckResult, name: str) -> str:
    return next((path for path in result.evidence if path.endswith(f"/{name}")), "")
