"""A timeline as lanes of bars over one span of time; timeline.html.j2 draws it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from conformance.history import Event
from conformance.parts import RESUMED
from conformance.report.lanes import MAKERS, Bar, Maker

_WIDTH, _LABELS = 1000.0, 80.0
_ROW, _GAP, _HEAD = 13.0, 9.0, 18.0
_NARROWEST = 2.0
_STEPS = (0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 600, 3600)
_TICKS = 11


@dataclass
class Lane:
    """Bars of one kind, in rows; `y` is where the lane begins."""

    name: str
    rows: list[list[Bar]]
    y: float = 0.0

    @property
    def summary(self) -> str:
        """How much is in it, for those who cannot see it: `Calls 12`."""
        return f"{self.name} {sum(bar.count for row in self.rows for bar in row)}"


@dataclass
class Timeline:
    """Lanes from `start` to `end`, in Unix seconds."""

    start: float
    end: float
    lanes: list[Lane] = field(default_factory=list)
    row: float = _ROW
    wide: float = _LABELS + _WIDTH + 20

    @property
    def height(self) -> float:
        """Of the drawing, in its own units."""
        last = self.lanes[-1]
        return last.y + len(last.rows) * _ROW + 14

    @property
    def summary(self) -> str:
        """The drawing in words."""
        return f"{self.end - self.start:.1f} seconds. Entries: {', '.join(lane.summary for lane in self.lanes)}."

    def x(self, at: float) -> float:
        """Where a moment is on the drawing."""
        span = max(self.end - self.start, 1e-6)
        return round(_LABELS + (at - self.start) / span * _WIDTH, 1)

    def width(self, bar: Bar) -> float:
        """How wide a bar is; the shortest can still be seen."""
        return round(max(self.x(bar.end) - self.x(bar.start), _NARROWEST), 1)

    def ticks(self) -> list[tuple[float, str]]:
        """Where to write how many seconds have passed."""
        span = self.end - self.start
        step = next((step for step in _STEPS if span / step <= _TICKS), span / _TICKS)
        return [(self.x(self.start + i * step), f"{i * step:g} s") for i in range(int(span / step) + 1)]


def timeline(events: Sequence[Event]) -> Timeline | None:
    """The timeline of events, of a whole run or of one check; None where there is nothing to draw."""
    if len(events) < 2:
        return None
    times = [event.time for event in events]  # clocks can be set
    drawn = Timeline(min(times), max(times))
    y = _HEAD
    for name, make in MAKERS.items():
        rows = [_merged(drawn, row) for row in _made(make, events, drawn.end) if row]
        if rows:
            drawn.lanes.append(Lane(name, rows, y))
            y += len(rows) * _ROW + _GAP
    return drawn if drawn.lanes else None


def _made(make: Maker, events: Sequence[Event], end: float) -> list[list[Bar]]:
    """The rows of a lane; none where its events are not as expected, as a drawing must not cost the page."""
    rows: list[list[Bar]] = []
    try:
        for part, until in _parts(events, end):
            for number, row in enumerate(make(part, until)):
                rows += [[]] if number == len(rows) else []
                rows[number] += row
    except (AttributeError, KeyError, TypeError, ValueError):
        return []
    return rows


def _parts(events: Sequence[Event], end: float) -> Iterator[tuple[Sequence[Event], float]]:
    """The parts of a run that was interrupted and gone on with, each with when it ended: what lived then is gone."""
    first = 0
    for number, event in enumerate(events):
        if event.kind == RESUMED["kind"] and number > first:
            yield events[first:number], events[number - 1].time
            first = number
    yield events[first:], end


def _merged(drawn: Timeline, bars: list[Bar]) -> list[Bar]:
    """Bars of one look that touch each other as one, so that a long run stays small; checks stay apart."""
    merged: list[Bar] = []
    for bar in sorted(bars, key=lambda bar: bar.start):
        last = merged[-1] if merged else None
        if last and last.look == bar.look and not bar.alone and drawn.x(bar.start) - drawn.x(last.end) < 1:
            merged[-1] = Bar(last.start, max(last.end, bar.end), bar.look, last.title, last.count + bar.count)
        else:
            merged.append(bar)
    return merged
