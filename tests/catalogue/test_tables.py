"""Tables of what others have tested and met: every row says by which check it is seen, what is told, or why neither."""

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from conformance.catalogue import all_checks

ROOT = Path(__file__).parents[2]
SCENARIOS, REPORTS = "docs/kubernetes-tests.md", "docs/field-reports.md"
TABLES = (SCENARIOS, REPORTS)
CHECK = re.compile(r"`([a-z]+\.[a-z_]+)`")
REASON = re.compile(r"not (checked|told): .{15,}")
THREAD = re.compile(r"[\w.-]+/[\w.-]+#\d+")


@cache
def rows(table: str) -> list[list[str]]:
    """The rows of a document's table, without its head."""
    lines = [line for line in (ROOT / table).read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def seen_by(table: str) -> list[str]:
    return [row[-1] for row in rows(table)]


@cache
def printed() -> str:
    """All that the suite's sources and documents say, but for these tables."""
    documents = [path for path in (ROOT / "docs").glob("*.md") if f"docs/{path.name}" not in TABLES]
    paths = [*(ROOT / "conformance").rglob("*.py"), *documents]
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def test_no_scenario_is_lost() -> None:
    counts = Counter(row[0].split()[0] for row in rows(SCENARIOS))
    assert counts == {"e2e": 93, "node": 43, "integration": 32, "update": 7, "perf": 1, "harness": 4}
    assert len({row[0] for row in rows(SCENARIOS)}) == sum(counts.values())


def test_no_report_is_lost() -> None:
    assert len(rows(REPORTS)) == 109


@pytest.mark.parametrize(("table", "columns"), [(SCENARIOS, 3), (REPORTS, 5)])
def test_rows_are_whole(table: str, columns: int) -> None:
    assert [row for row in rows(table) if len(row) != columns or not all(row)] == []


@pytest.mark.parametrize("table", TABLES)
def test_checks_that_are_named_exist(table: str) -> None:
    named = {name for text in seen_by(table) for name in CHECK.findall(text)}
    assert named - set(all_checks()) == set()


@pytest.mark.parametrize("table", TABLES)
def test_each_row_has_a_check_a_diagnosis_or_a_reason(table: str) -> None:
    bare = [text for text in seen_by(table) if not (CHECK.match(text) or told(text) or REASON.match(text))]
    assert bare == []


def test_what_is_said_to_be_told_is_in_the_sources() -> None:
    quoted = {words for text in seen_by(REPORTS) for words in re.findall(r'"([^"]+)"', text)}
    assert [words for words in sorted(quoted) if words not in printed()] == []


def test_faults_of_drivers_alone_are_checked_or_have_a_reason() -> None:
    excused = [row for row in rows(REPORTS) if row[3] == "driver" and row[4].startswith(("told:", "not told:"))]
    assert excused == []


def test_reports_are_cited_as_threads() -> None:
    assert [row[0] for row in rows(REPORTS) if not all(map(THREAD.fullmatch, row[0].split(", ")))] == []


def told(text: str) -> bool:
    """Whether a cell says what the suite prints."""
    return text.startswith("told: ") and '"' in text
