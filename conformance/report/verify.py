"""Whether a report can be relied on: it is whole, nobody has changed it, and its verdicts follow from its history."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from conformance.check import Check
from conformance.history import HISTORY_FILE
from conformance.published import offers_device
from conformance.report.conclusion import GOOD, conclude, ending
from conformance.report.derive import HistoryError, Row, derive, rows
from conformance.report.footer import file_digest, report_digest
from conformance.report.held import against_history, against_waivers
from conformance.report.model import Outcome, Report, count
from conformance.report.store import ReportError, file_of, parse, read
from conformance.report.text import amount
from conformance.report.waived import waives_must
from conformance.requirement import Requirement

NOT_SOUND = 8
"""Exit status of commands that were given a report that cannot be relied on."""

_OF_THE_RUN = (Outcome.INTERRUPTED, Outcome.ERROR, Outcome.NOTHING)
_STATUSES = {Outcome.NOT_CONFORMANT: {1}, Outcome.INCOMPLETE: {1, 7}, Outcome.INCONCLUSIVE: {1, 6}}


@dataclass(frozen=True)
class Suite:
    """The suite that verifies: where a report was made by the same, its checks and obligations must be these.

    digest, catalogue: as in the reports that it makes; checks, requirements: by id, the former read when they matter.
    """

    digest: str
    catalogue: str
    checks: Callable[[], Mapping[str, Check]]
    requirements: Mapping[str, Requirement]


@dataclass(frozen=True)
class Verified:
    """What came out: problems, one sentence each; the report as it stands in its file, None where it is none.

    events: how many the history has; published: whether the driver's devices are among them; alone: whether all that
    there is against it is that its history is not beside it, so that only its footer says that nobody has changed it.
    """

    problems: Sequence[str]
    report: Report | None = None
    events: int = 0
    published: bool = False
    alone: bool = False

    @property
    def sound(self) -> bool:
        """Whether the report can be relied on."""
        return not self.problems

    @property
    def status(self) -> int:
        """That of the run when the report is sound, so that a gate can ask either; else `NOT_SOUND`."""
        if self.problems or self.report is None or self.report.exit_status is None:
            return NOT_SOUND
        return self.report.exit_status

    @property
    def conformant(self) -> bool:
        """Whether this says, soundly, that the driver is conformant, and no broken MUST was waived for it."""
        report = self.report
        if report is None or not self.sound or report.exit_status != 0:
            return False
        return report.outcome is Outcome.CONFORMANT and not waives_must(report.checks)


@dataclass
class _Seen:
    """What is read of the history on the way, beside its checks."""

    events: int = 0
    published: bool = False
    waivers: Row | None = None


def verify(path: Path, suite: Suite | None = None) -> Verified:
    """Hold a report.json, or the one in a folder, against its footer, its history and, where it is the same, our suite.

    Raises ReportError where there is no such file.
    """
    file = file_of(path)
    if not file.is_file():
        raise ReportError(f"{file}: there is no such file; give a report.json or its folder")
    try:
        value = read(path)
        report = parse(path, value)
    except ReportError as error:
        return Verified([str(error)])
    seen = _Seen()
    first = [*_footer(report, report_digest(value)), *_whole(report)]
    derived = list(_history(report, file.parent / HISTORY_FILE, seen))
    last = [*_outcome(report, seen), *_levels(report, suite)]
    problems = [*first, *derived, *last]
    if not problems and report.outcome in GOOD and not seen.published:
        problems.append(f"says {report.outcome}, although {unpublished(report)}")
    told = [f"{file}: {problem}" for problem in problems]
    alone = not first and not last and not (file.parent / HISTORY_FILE).exists()
    return Verified(told, report, seen.events, seen.published, alone)


def unpublished(report: Report) -> str:
    """What is said of a driver that never had a device."""
    return f"the driver {report.driver.name} has published no device"


def _footer(report: Report, digest: str) -> Iterator[str]:
    footer = report.footer
    if footer is None:
        yield (
            "has no footer, so the run did not come to its end: it was killed half-way or still goes on"
            if report.finished is None
            else "has no footer, although its run has finished: it was cut"
        )
        return
    if footer.report != digest:
        yield f"was changed after its run: its SHA-256 is {digest[:12]}…, and the footer has {footer.report[:12]}…"
    if footer.outcome is not report.outcome:
        yield f"says {report.outcome}, and its footer says {footer.outcome}"
    if footer.run != len(report.checks):
        yield f"holds {amount(len(report.checks), 'check')}, and by its footer {footer.run} ran"
    if footer.selected < footer.run:
        yield f"has run {footer.run} checks of {footer.selected} that were selected"


def _whole(report: Report) -> Iterator[str]:
    if not report.checks:
        yield "has no checks, so it says nothing about the driver"
    twice = [name for name, number in Counter(result.node_id for result in report.checks).items() if number > 1]
    if twice:
        yield f"holds a check twice: {', '.join(twice)}"
    if report.counts != count(report.checks):
        yield "counts other verdicts than its checks have"


def _history(report: Report, file: Path, seen: _Seen) -> Iterator[str]:
    if report.footer and report.footer.history != file_digest(file):
        missing = not file.exists()
        yield f"{HISTORY_FILE} {'is not beside it' if missing else 'is not that of this run: its SHA-256 differs'}"
    if not file.exists():
        if report.checks and not (report.footer and report.footer.history):
            yield f"{HISTORY_FILE} is missing, so no verdict can be derived"
        return
    try:
        checks = derive(_watched(file, report.driver.name, seen))
    except HistoryError as error:
        yield str(error).removeprefix(f"{file.parent}/")
        return
    yield from against_history(report, checks)
    yield from against_waivers(report, checks, seen.waivers)


def _watched(file: Path, driver: str, seen: _Seen) -> Iterator[Row]:
    for row in rows(file):
        seen.events += 1
        seen.waivers = row if row["kind"] == "waivers" else seen.waivers
        try:
            seen.published = seen.published or (row["kind"] == "api" and offers_device(row, driver))
        except (KeyError, TypeError, AttributeError):
            raise HistoryError(f"event {row['seq']} is none that a run of this version writes") from None
        yield row


def _outcome(report: Report, seen: _Seen) -> Iterator[str]:
    """What the run says must follow from its checks; where it was cut short or failed, it only must not be good."""
    if report.outcome in _OF_THE_RUN:
        if report.exit_status == 0:
            yield f"says {report.outcome}, and has exit status 0"
        return
    missing = report.footer.selected - len(report.checks) if report.footer else 0
    chosen = "a selection" if report.selection or report.settings.get("checks") else ""
    checks = ending(report.checks, missing=["a check"] * missing, selection=chosen)
    # What says that all is well, although nothing was published, is told that in other words.
    concluded = conclude(replace(checks, published=seen.published or report.outcome in GOOD))
    if concluded.outcome is not report.outcome:
        yield f"says {report.outcome}, and by its checks it is {concluded.outcome}"
    if report.exit_status not in _STATUSES.get(report.outcome, {0, 1, 6}):
        yield f"says {report.outcome}, and has exit status {report.exit_status}"


def _levels(report: Report, suite: Suite | None) -> Iterator[str]:
    """Levels are those of the catalogue; and what says that it is the whole suite has all of its checks."""
    levels = {each.id: each.level for each in report.requirements}
    for result in report.checks:
        wrong = {f.requirement for f in result.findings if levels.get(f.requirement, f.level) is not f.level}
        if wrong:
            yield f"{result.id} judges {', '.join(sorted(wrong))} at another level than the report's own obligations"
    if suite and suite.catalogue == report.suite.catalogue:
        known = suite.requirements
        changed = [id for id, level in levels.items() if id in known and known[id].level is not level]
        if changed:
            yield f"has another level than the catalogue for {', '.join(changed)}"
    if suite and suite.digest == report.suite.digest and report.outcome is Outcome.CONFORMANT:
        profiles = report.settings.get("profiles", ())
        ran = {result.id for result in report.checks}
        left = [id for id, check in suite.checks().items() if check.profile in profiles and id not in ran]
        if left:
            yield f"says that it is the whole suite, and lacks {amount(len(left), 'check')} of it, such as {left[0]}"
