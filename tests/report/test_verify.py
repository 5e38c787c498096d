"""`verify` finds what was done to a report, and says it in a sentence; a report of a run as it was is sound."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from conformance.catalogue import all_checks
from conformance.check import Check
from conformance.identity import catalogue_digest, suite_digest
from conformance.report.conclusion import NOTHING
from conformance.report.model import Report, SuiteInfo, count
from conformance.report.verify import NOT_SOUND, Suite, Verified, _levels, verify
from conformance.requirement import Level, catalogue
from conformance.session.options import ON_DEMAND, PROFILES
from conformance.verdict import Verdict
from tests.report import samples
from tests.report.recorded import GOOD, bad_run, copied, edit, good_run, result, run

__all__ = ["bad_run", "good_run"]
Value = dict[str, Any]


def test_a_good_run_is_sound_and_conformant(good_run: Path) -> None:
    verified = verify(good_run)
    assert verified.problems == []
    assert (verified.status, verified.conformant) == (0, True)
    assert verify(good_run / "report.json").sound


def test_every_verdict_of_a_run_follows_from_its_history(bad_run: Path) -> None:
    verified = verify(bad_run)
    assert verified.problems == []
    assert (verified.status, verified.conformant) == (1, False)
    assert verified.report
    verdicts = {each.id.partition(".")[2]: each.verdict for each in verified.report.checks}
    assert set(verdicts.values()) == set(Verdict) - {Verdict.INFO, Verdict.WAIVED}
    assert verdicts["caught"] is Verdict.FAIL, "a MUST that was seen broken stays so"


LONG = """
@check(id="preparation.repeat", covers=["PREP-05"])
def test_repeat(expect, driver):
    "The driver answers with a long text."
    expect("PREP-05").equal({"said": ["x" * SIZE]}, "", "a repeated Prepare succeeds")
"""


@pytest.mark.parametrize("size", [17_000, 30_000])
def test_a_text_of_which_a_history_has_the_beginning_only_is_sound(size: int, tmp_path: Path) -> None:
    assert verify(run(tmp_path, LONG.replace("SIZE", str(size)), status=1)).problems == []


UNSURE = """
@check(id="registration.harness", covers=["REG-02"])
def test_harness(expect, driver):
    "The harness has a bug."
    raise KeyError("harness")
"""


@pytest.mark.parametrize(("suite", "option", "status"), [(UNSURE + GOOD, "-x", 7), (GOOD, "-kone_claim", 0)])
def test_a_run_of_a_part_is_sound_but_never_conformant(suite: str, option: str, status: int, tmp_path: Path) -> None:
    verified = verify(run(tmp_path, suite, option, status=status))
    assert (verified.problems, verified.status, verified.conformant) == ([], status, False)


def said(folder: Path, suite: Suite | None = None) -> str:
    """The problems found in a report that is not sound."""
    verified = verify(folder, suite)
    assert (verified.sound, verified.status, verified.conformant) == (False, NOT_SOUND, False)
    assert all("\n" not in problem for problem in verified.problems)
    return "\n".join(verified.problems)


def test_an_edit_is_seen_by_the_footer(bad_run: Path, tmp_path: Path) -> None:
    folder = edit(copied(bad_run, tmp_path), lambda value: value["driver"].update(name="other.example.com"), seal=False)
    assert "was changed after its run: its SHA-256 is" in said(folder)


def test_no_value_of_a_report_can_be_changed_unseen(good_run: Path, tmp_path: Path) -> None:
    folder = copied(good_run, tmp_path)
    file = folder / "report.json"
    value = json.loads(file.read_text())
    unseen = []
    for place, wrong in changed(value):
        file.write_text(json.dumps(wrong))
        if verify(folder).sound:
            unseen.append(place)
    assert unseen == []


def changed(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Each way in which one value within a JSON value can be another, and where that is."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from ((where, {**value, key: other}) for where, other in changed(item, f"{place}.{key}"))
    elif isinstance(value, list):
        for n, item in enumerate(value):
            rest = value[:n], value[n + 1 :]
            yield from ((where, [*rest[0], other, *rest[1]]) for where, other in changed(item, f"{place}[{n}]"))
    else:
        yield place, not value if isinstance(value, bool) else value + 1 if isinstance(value, int) else f"{value}x"


def passes(value: Value) -> None:
    """Turn the broken MUST into one that holds, everywhere in the report."""
    check = result(value, "preparation.repeat")
    check |= {"verdict": "PASS", "message": ""}
    check["findings"][0] |= {"holds": True, "got": ""}


def counted(value: Value) -> None:
    """Counts as they are with what was changed."""
    value["counts"] = {k.value: n for k, n in count(Report.model_validate(value).checks).items()}


def is_gone(value: Value) -> None:
    value["checks"] = [row for row in value["checks"] if row["id"] != "preparation.repeat"]
    value["footer"]["selected"] -= 1


def is_weaker(value: Value) -> None:
    """A MUST becomes a SHOULD, and with it the FAIL a WARN."""
    check = result(value, "preparation.repeat")
    check["verdict"] = "WARN"
    check["findings"][0]["level"] = "SHOULD"
    next(row for row in value["requirements"] if row["id"] == "PREP-05")["level"] = "SHOULD"


def covers_less(value: Value) -> None:
    result(value, "preparation.unjudged").update(covers=["PREP-01"], verdict="PASS", message="")


def saw_something_else(value: Value) -> None:
    result(value, "preparation.repeat")["findings"][0]["got"] = "no devices"


def never_ran(value: Value) -> None:
    result(value, "preparation.repeat").update(verdict="NOT_RUN", findings=[])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (passes, "preparation.repeat is PASS, and what history.jsonl holds of it makes it FAIL"),
        (is_gone, "preparation.repeat ended with FAIL by history.jsonl, and is missing here"),
        (is_weaker, "preparation.repeat is WARN, and what history.jsonl holds of it makes it FAIL"),
        (covers_less, "preparation.unjudged is PASS, and what history.jsonl holds of it makes it INCONCLUSIVE"),
        (saw_something_else, "preparation.repeat has another finding on PREP-05 than history.jsonl"),
        (never_ran, "preparation.repeat is NOT_RUN, and what history.jsonl holds of it makes it FAIL"),
        (lambda value: value.update(outcome="conformant", exit_status=0), "and by its checks it is not-conformant"),
        (lambda value: value.update(exit_status=0), "says not-conformant, and has exit status 0"),
        (lambda value: value["checks"].append(value["checks"][0]), "holds a check twice"),
        (lambda value: value["footer"].update(selected=1), "that were selected"),
    ],
)
def test_an_edit_is_seen_although_the_footer_was_made_anew(
    change: Callable[[Value], object], words: str, bad_run: Path, tmp_path: Path
) -> None:
    def hand(value: Value) -> None:
        change(value)
        counted(value)

    assert words in said(edit(copied(bad_run, tmp_path), hand))


def test_counts_must_be_those_of_the_checks(bad_run: Path, tmp_path: Path) -> None:
    folder = edit(copied(bad_run, tmp_path), lambda value: value["counts"].update(FAIL=0))
    assert "counts other verdicts than its checks have" in said(folder)


def test_a_level_must_be_that_of_the_catalogue(bad_run: Path, tmp_path: Path) -> None:
    """Both files were changed in the same way, so that each follows from the other."""
    folder = copied(bad_run, tmp_path)
    history = folder / "history.jsonl"
    rows = [json.loads(line) for line in history.read_text().splitlines()]
    for row in rows:
        if row.get("requirement") == "PREP-05":
            row["level"] = "SHOULD"
        if row["kind"] == "check" and row["id"] == "preparation.repeat" and row["phase"] != "start":
            row |= {"phase": "call"} if row["phase"] == "call" else {"verdict": "WARN"}
            row.pop("says", None)
    history.write_text("".join(json.dumps(row) + "\n" for row in rows))
    edit(folder, is_weaker)
    edit(folder, counted)
    suite = Suite(suite_digest(), catalogue_digest(), dict, catalogue())
    assert "has another level than the catalogue for PREP-05" in said(folder, suite)


def test_what_says_that_it_is_the_whole_suite_has_all_of_its_checks(good_run: Path) -> None:
    def headers() -> Mapping[str, Check]:
        return {id: entry.check for id, entry in all_checks().items()}

    suite = Suite(suite_digest(), catalogue_digest(), headers, catalogue())
    assert "says that it is the whole suite, and lacks" in said(good_run, suite)
    assert verify(good_run, Suite("another", "another", headers, {})).sound, "another suite has other checks"

    asked = [check for check in headers().values() if check.profile not in ON_DEMAND]
    results = [samples.check(check.id, Verdict.PASS, check.title, list(check.covers)) for check in asked]
    given: dict[str, Any] = {"suite": SuiteInfo(version="", catalogue=suite.catalogue, digest=suite.digest)}
    given["settings"] = {"profiles": [profile for profile in PROFILES if profile not in ON_DEMAND]}
    assert list(_levels(samples.report(checks=results, **given), suite)) == []
    lacking = list(_levels(samples.report(checks=results[1:], **given), suite))
    assert lacking == [f"says that it is the whole suite, and lacks 1 check of it, such as {asked[0].id}"]


def test_a_selection_cannot_become_the_whole(tmp_path: Path) -> None:
    folder = run(tmp_path, GOOD, "--check=registration.registers", status=0)
    edit(folder, lambda value: value.update(outcome="conformant", selection=False, reason=""))
    assert "says conformant, and by its checks it is selection" in said(folder)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda lines: lines[:-1], "history.jsonl is not that of this run: its SHA-256 differs"),
        (lambda lines: [*lines[:-1], lines[-1][:20]], "ends in the middle of line"),
        (lambda lines: [*lines[:3], *lines[4:]], "line 4 has seq 4 where 3 belongs: events are missing"),
        (lambda lines: ["[]\n", *lines[1:]], "line 1 is no event"),
        (
            lambda lines: [lines[0].replace('"kind":"check"', '"kind":"api"'), *lines[1:]],
            "event 0 is none that a run of",
        ),
        (lambda lines: [lines[0].replace('"covers"', '"hides"'), *lines[1:]], "event 0 is none that a run of"),
    ],
)
def test_a_history_that_was_touched_is_seen(
    change: Callable[[list[str]], list[str]], words: str, good_run: Path, tmp_path: Path
) -> None:
    folder = copied(good_run, tmp_path)
    history = folder / "history.jsonl"
    history.write_text("".join(change(history.read_text().splitlines(keepends=True))))
    assert words in said(folder)


def test_a_report_alone_proves_nothing(good_run: Path, tmp_path: Path) -> None:
    folder = copied(good_run, tmp_path)
    (folder / "history.jsonl").unlink()
    assert "history.jsonl is not beside it" in said(folder)
    edit(folder, lambda value: None)
    assert "history.jsonl is missing, so no verdict can be derived" in said(folder)


def test_a_cut_report_is_refused(good_run: Path, tmp_path: Path) -> None:
    file = copied(good_run, tmp_path) / "report.json"
    file.write_text(file.read_text()[:-40])
    assert "report.json: is not JSON" in said(file)


def test_a_waived_finding_is_sound_and_never_conformant() -> None:
    waived = [*samples.good_checks(), samples.check("a.b", Verdict.WAIVED, "Waived.", ["PUB-04"])]
    assert not Verified([], samples.report(checks=waived)).conformant
    assert Verified([], samples.good()).conformant


def test_levels_and_statuses_are_those_of_the_suite() -> None:
    """What the tests above take for granted."""
    assert catalogue()["PREP-05"].level is Level.MUST
    assert NOT_SOUND not in range(NOTHING + 3)
