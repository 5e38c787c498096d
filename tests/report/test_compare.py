"""Two reports held against each other, for a terminal and for a pull request."""

from conformance.report import CheckResult, Outcome, Report
from conformance.report.compare import Comparison, as_markdown, as_text, compare, summary
from conformance.verdict import Verdict
from tests.report import samples


def report(**verdicts: Verdict | tuple[Verdict, float]) -> Report:
    """A report with these checks, each with its verdict and, where that matters, how long it took."""
    return samples.report(Outcome.NOT_CONFORMANT, [_check(name, given) for name, given in verdicts.items()])


def _check(name: str, given: Verdict | tuple[Verdict, float]) -> CheckResult:
    verdict, seconds = given if isinstance(given, tuple) else (given, 0.1)
    return samples.check(f"preparation.{name}", verdict, f"Title of {name}.", ["PREP-05"], seconds=seconds)


PASS, WARN, FAIL = Verdict.PASS, Verdict.WARN, Verdict.FAIL
OLD = report(a=PASS, b=FAIL, c=PASS, d=PASS, e=WARN, f=(PASS, 1.0), g=Verdict.BLOCKED, h=(PASS, 0.1), i=PASS)
NEW = report(a=FAIL, b=PASS, c=Verdict.INCONCLUSIVE, e=FAIL, f=(PASS, 3.0), g=PASS, h=(PASS, 0.9), i=PASS, j=PASS)


def found(comparison: Comparison) -> dict[str, list[str]]:
    """The names of checks by what has become of them."""
    rows = comparison.changes.items()
    return {change.value: [row.any.id.partition(".")[2] for row in changed] for change, changed in rows}


def test_each_change_by_its_kind() -> None:
    assert found(compare(OLD, NEW)) == {
        "broken": ["a", "e"],
        "no longer judged": ["c"],
        "no longer waived": [],
        "mended": ["b"],
        "waived": [],
        "judged for the first time": ["g"],
        "new": ["j"],
        "gone": ["d"],
        "slower": ["f"],
    }
    assert summary(compare(OLD, NEW)) == (
        "2 broken, 1 no longer judged, 1 mended, 1 judged for the first time, 1 new, 1 gone, 1 slower, 2 unchanged"
    )


def test_the_status_is_that_of_the_worst_change() -> None:
    assert compare(OLD, NEW).status == 1
    assert compare(report(a=PASS), report(a=PASS, b=FAIL)).status == 1, "a new check that fails is something broken"
    assert compare(report(a=PASS), report(a=Verdict.NOT_RUN)).status == 6
    assert compare(report(a=PASS, b=PASS), report(a=PASS)).status == 6
    assert compare(report(a=FAIL), report(a=PASS)).status == 0
    assert compare(report(a=FAIL), report(a=FAIL)).status == 0


def test_a_failure_that_hides_is_not_mended() -> None:
    assert found(compare(report(a=FAIL), report(a=Verdict.BLOCKED)))["no longer judged"] == ["a"]


def test_in_a_terminal() -> None:
    text = as_text(compare(OLD, NEW))
    assert "BROKEN  2 checks\n  preparation.a  PASS → FAIL\n  preparation.e  WARN → FAIL\n" in text
    assert "SLOWER  1 check\n  preparation.f  1.0 s → 3.0 s\n" in text


def test_other_runs_are_told() -> None:
    other = OLD.model_copy(update={"cluster": {"kind": "kind", "kubernetes": "v1.36.3"}})
    assert compare(OLD, other).notes == ["cluster: embedded v1.37.2 → kind v1.36.3"]


def test_in_a_pull_request_what_broke_is_open_and_the_rest_is_folded() -> None:
    text = as_markdown(compare(OLD, NEW))
    assert text.startswith("### DRA conformance of gpu.example.com: 2 broken, ")
    before, _, after = text.partition("<details>")
    assert "| `preparation.a` | PASS → FAIL | Title of a. |" in before
    assert "| `preparation.b` | FAIL → PASS | Title of b. |" in after
    assert text.count("<details>") == text.count("</details>") == 5


def test_markdown_of_a_hostile_driver_stays_text() -> None:
    text = as_markdown(compare(samples.good(), samples.hostile()))
    assert "<script>" not in text
    assert "<img" not in text
    assert "\x1b" not in text
    assert all(line.count("|") in (0, 4) for line in text.splitlines())
