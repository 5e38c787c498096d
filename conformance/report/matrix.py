"""Several reports on one page: checks in rows, drivers on versions of Kubernetes in columns."""

import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Self
from urllib.parse import quote

import jinja2
from markupsafe import Markup, escape

from conformance.report.model import CheckResult, Outcome, Report
from conformance.report.obligations import headline
from conformance.report.pages import asset, template
from conformance.report.store import PAGE_FILE, file_of
from conformance.report.text import visible
from conformance.report.verify import Verified
from conformance.report.waived import waives_must
from conformance.verdict import Verdict

LETTERS: Mapping[Verdict, str] = {
    Verdict.PASS: "P",
    Verdict.WARN: "W",
    Verdict.FAIL: "F",
    Verdict.INFO: "I",
    Verdict.NOT_APPLICABLE: "–",
    Verdict.BLOCKED: "B",
    Verdict.WAIVED: "V",
    Verdict.NOT_RUN: "N",
    Verdict.INCONCLUSIVE: "?",
}
"""What stands for a verdict in a cell, besides its colour."""


@dataclass(frozen=True)
class Column:
    """One report.

    driver, version, cluster, kubernetes: what was judged; said: its outcome in a word or two; headline: in a sentence;
    tone: good, part, bad or unsure; link: to its page, "" where that is not beside it; cells: its checks, by key.
    """

    driver: str
    version: str
    cluster: str
    kubernetes: str
    said: str
    headline: str
    tone: str
    link: str
    sound: bool
    cells: Mapping[str, CheckResult]

    @classmethod
    def of(cls, verified: Verified, path: Path, folder: Path) -> Self:
        """The column of a report that lies at `path`, on a page in `folder`. Without being sound it is never good."""
        report = verified.report
        if report is None:
            return cls(path.name, "", "", "", "no report", verified.problems[0], "unsure", "", False, {})
        return cls(
            driver=report.driver.name,
            version=report.driver.version,
            cluster=str(report.cluster.get("kind", "")),
            kubernetes=str(report.cluster.get("kubernetes", "")).removeprefix("v"),
            said=report.outcome.replace("-", " ") if verified.sound else "not verified",
            headline=headline(report) if verified.sound else verified.problems[0],
            tone=_tone(report) if verified.sound else "unsure",
            link=_link(file_of(path).with_name(PAGE_FILE), folder),
            sound=verified.sound,
            cells={_key(result): result for result in report.checks},
        )

    @property
    def counts(self) -> Mapping[Verdict, int]:
        """How many of its checks have each verdict."""
        return Counter(result.verdict for result in self.cells.values())


@dataclass(frozen=True)
class Row:
    """One check, and its results in the order of the columns."""

    key: str
    title: str
    cells: Sequence[CheckResult | None]

    @property
    def differs(self) -> bool:
        """Whether the reports do not all say the same of it."""
        return len({result.verdict if result else None for result in self.cells}) > 1


def matrix_page(columns: Sequence[Column], home: str = "") -> str:
    """The page: styles inside, no script, no request to anywhere, every text escaped. `home`: the page above it."""
    ordered = sorted(columns, key=_order)
    return _template().render(
        columns=ordered,
        home=home,
        drivers=Counter((column.driver, column.version) for column in ordered),
        areas=_areas(ordered),
        verdicts=list(Verdict),
        letters=LETTERS,
        style=Markup(asset("matrix.css")),  # ours: the only text that is not escaped
    )


def _areas(columns: Sequence[Column]) -> dict[str, list[Row]]:
    """Rows by area; areas in the order in which runs have them, checks in that of their names."""
    first: dict[str, CheckResult] = {}
    for column in columns:
        first = {**column.cells, **first}
    names = dict.fromkeys(result.area for column in columns for result in column.cells.values())
    areas: dict[str, list[Row]] = {name: [] for name in names}
    for key in sorted(first):
        areas[first[key].area].append(Row(key, first[key].title, [column.cells.get(key) for column in columns]))
    return areas


def _tone(report: Report) -> str:
    if report.exit_status == 0 and report.outcome is Outcome.SELECTION:
        return "part"
    if report.exit_status == 0 and report.outcome is Outcome.CONFORMANT:
        return "unsure" if waives_must(report.checks) else "good"
    return "bad" if report.exit_status == 1 else "unsure"


def _key(result: CheckResult) -> str:
    return result.id + (result.node_id[result.node_id.find("[") :] if "[" in result.node_id else "")


def _order(column: Column) -> tuple[str, str, list[int], str]:
    minor = [int(number) for number in re.findall(r"\d+", column.kubernetes)]
    return column.driver, column.version, minor, column.cluster


def _link(page: Path, folder: Path) -> str:
    return quote(os.path.relpath(page, folder)) if page.exists() else ""


@cache
def _template() -> jinja2.Template:
    return template("matrix.html.j2", breakable=_breakable)


def _breakable(name: str) -> Markup:
    """A dotted name that may go on in the next line after a dot or a line below."""
    return Markup(re.sub("([._])", r"\1<wbr>", str(escape(visible(name)))))
