"""index.html: the report as one page that needs nothing but itself."""

import base64
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jinja2
from markupsafe import Markup

from conformance.advice import advice
from conformance.report.behaviours import behaviours
from conformance.report.blocked import blocked
from conformance.report.drawers import DETAILED, Room, evidence
from conformance.report.fitting import fitted
from conformance.report.model import CheckResult, Outcome, Report
from conformance.report.obligations import State, exit_meaning, not_offered, short_headline, standings, tally
from conformance.report.pages import asset, template
from conformance.report.recorded import HISTORY_FILE, recorded
from conformance.report.store import JUNIT_FILE
from conformance.report.text import amount, duration, shown
from conformance.report.timeline import timeline
from conformance.requirement import Level
from conformance.verdict import Verdict

CORE = "core"
NEEDS_ACTION = (Verdict.FAIL, Verdict.WARN, Verdict.WAIVED, Verdict.INCONCLUSIVE, Verdict.BLOCKED)

_LEFT_OUT = (Verdict.NOT_APPLICABLE, Verdict.NOT_RUN, Verdict.BLOCKED)

_TONES: Mapping[Outcome, str] = {
    Outcome.CONFORMANT: "pass",
    Outcome.SELECTION: "info",
    Outcome.WAIVED: "waived",
    Outcome.NOT_CONFORMANT: "fail",
    Outcome.INCONCLUSIVE: "inconclusive",
    Outcome.INCOMPLETE: "inconclusive",
    Outcome.INTERRUPTED: "warn",
    Outcome.ERROR: "warn",
    Outcome.NOTHING: "warn",
}


@dataclass(frozen=True)
class Area:
    """The checks of one part of the contract."""

    name: str
    checks: Sequence[CheckResult]

    @property
    def summary(self) -> str:
        """How many of its checks passed, of those that apply and ran: `4 of 5 pass`."""
        verdicts = [result.verdict for result in self.checks if result.verdict not in _LEFT_OUT]
        passed = sum(verdict in (Verdict.PASS, Verdict.INFO) for verdict in verdicts)
        return f"{passed} of {len(verdicts)} pass" if verdicts else "none judged"

    @property
    def core(self) -> list[CheckResult]:
        """Its checks that ask something of every driver."""
        return [result for result in self.checks if result.profile == CORE]

    @property
    def features(self) -> dict[str, list[CheckResult]]:
        """Its other checks, by profile."""
        names = dict.fromkeys(result.profile for result in self.checks if result.profile != CORE)
        return {name: [result for result in self.checks if result.profile == name] for name in names}


@dataclass(frozen=True)
class Published:
    """Where others publish the page: what it then says of itself, the page that leads to it, files beside it."""

    said: str
    home: str
    files: Sequence[str]


def html(report: Report, folder: Path | None = None, published: Published | None = None) -> str:
    """The report as one page: styles and script inside, no request to anywhere, every text escaped.

    `folder`: where the run has left its history and evidence, which the page then shows.
    """
    report = fitted(report)
    style, script = asset("page.css"), asset("page.js")
    known, room = recorded(folder), Room()
    registry = str(report.settings.get("registry_prefix") or "")
    # Those with findings first, so that it is never them for whom there is no room.
    by_weight = sorted(report.checks, key=lambda result: result.verdict not in DETAILED)
    shown_of = {result.id: evidence(result, known, room, registry) for result in by_weight}
    return _template().render(
        report=report,
        published=published,
        beside=published.files if published else [JUNIT_FILE, *([HISTORY_FILE] if known.events else [])],
        headline=short_headline(report),
        tone=_TONES[report.outcome],
        exit_meaning=exit_meaning(report),
        counts=[(verdict, len(report.with_verdict(verdict))) for verdict in Verdict],
        levels=[(level, tally(report, level)) for level in (Level.MUST, Level.SHOULD)],
        actions=[(verdict, report.with_verdict(verdict)) for verdict in NEEDS_ACTION],
        findings=len(report.with_verdict(*DETAILED)),
        blocked=blocked(report),
        ran={result.id for result in report.checks},
        evidence=shown_of,
        detailed=DETAILED,
        advice=advice(),
        not_offered=not_offered(report),
        behaviours=behaviours(report),
        timeline=timeline(known.events),
        profiles=list(dict.fromkeys(result.profile for result in report.checks)),
        areas=_areas(report.checks),
        requirements={r.id: r for r in report.requirements},
        standings=standings(report),
        verdicts=list(Verdict),
        states=list(State),
        style=Markup(style),  # ours, like the script: the only texts that are not escaped
        script=Markup(script),
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )


def evidence_link(path: str) -> str:
    """The link to a file in the report's folder; empty for a path that leads out of it."""
    if not path or path.startswith("/") or ".." in path.split("/") or not path.isprintable():
        return ""
    return quote(path, safe="/")


def _areas(checks: Sequence[CheckResult]) -> list[Area]:
    names = dict.fromkeys(result.area for result in checks)
    return [Area(name, [result for result in checks if result.area == name]) for name in names]


@cache
def _template() -> jinja2.Template:
    return template("index.html.j2", **filters())


def filters() -> dict[str, Callable[..., Any]]:
    """What templates do with values, by name; parts of the page that others print want the same."""
    return {
        "shown": shown,
        "duration": duration,
        "amount": amount,
        "when": _when,
        "slug": _slug,
        "anchor": _anchor,
        "evidence_link": evidence_link,
    }


def _when(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")


def _slug(verdict: str) -> str:
    return verdict.lower().replace("_", "-").replace(" ", "-")


def _anchor(name: str) -> str:
    return quote(name, safe="")
