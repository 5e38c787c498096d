"""The summary in the terminal: findings first, the verdict last, readable in 80 columns and without colour."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from conformance.report import Outcome, Report
from conformance.report.terminal import summary_text
from conformance.verdict import Verdict
from tests.report import samples


def test_a_good_run_is_five_lines() -> None:
    assert summary_text(samples.good(), folder=Path("conformance-report")) == (
        "─────────────────────────────── DRA conformance ────────────────────────────────\n"
        "4 checks in 12.4 s: 4 pass\n"
        "Report       conformance-report/index.html\n"
        "Exit status  0, every selected MUST that applies holds\n"
        "Conformant to core at 1.37: 5 of 5 MUST\n"
    )


def test_a_failure_is_told_with_its_command() -> None:
    assert (
        "FAIL  preparation.repeat_same_devices\n"
        "  A second NodePrepareResources for a prepared claim gives the first answer\n"
        "  again.\n"
        "  The second NodePrepareResources of claim user-devices failed: device gpu-3 is\n"
        "  already in use\n"
        "  expected   that a repeated Prepare succeeds (PREP-05, MUST)\n"
        '  observed   "prepare devices for claim 6f1c0a52-6a0e-4d0c-9d6e-2f9d3c6b4a11:\n'
        '             device gpu-3 is already in use"\n'
        '  wanted     ""\n'
        "  reproduce  pytest conformance/ --driver=gpu.yaml --check=preparation.repeat_same_devices\n"
    ) in summary_text(samples.bad())


def test_findings_come_first_by_weight_and_the_verdict_last() -> None:
    lines = summary_text(samples.bad()).splitlines()
    heads = [line.split()[0] for line in lines if re.match("[A-Z]{4,}  ", line)]
    assert heads == ["FAIL", "WARN", "WAIVED", "INCONCLUSIVE", "BLOCKED"]
    assert lines[-2:] == [
        "Not conformant to core at 1.37: 1 of 7 MUST broken (PREP-05), 1 more waived, 1",
        "SHOULD missed, 1 feature not offered",
    ]


@pytest.mark.parametrize("sample", [samples.good, samples.bad, samples.interrupted, samples.empty, samples.hostile])
def test_lines_keep_to_the_width_except_commands(sample: Callable[[], Report]) -> None:
    lines = summary_text(sample(), width=80).splitlines()
    assert [line for line in lines if len(line) > 80 and not line.startswith("  reproduce  ")] == []


def test_blocked_checks_are_told_by_what_is_at_the_root_of_it() -> None:
    assert (
        "BLOCKED  2 checks need registration.registers, which is FAIL\n"
        "  preparation.one_claim, preparation.repeat\n"
        "BLOCKED  1 check needs restart.reboot\n"
        "  restart.recovers\n"
    ) in summary_text(samples.blocked())


def test_colour_only_when_asked_for() -> None:
    assert "\x1b[" not in summary_text(samples.bad())
    assert "\x1b[1;31mFAIL\x1b[0m" in summary_text(samples.bad(), colour=True)


def test_a_driver_cannot_steer_the_terminal() -> None:
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202e]", summary_text(samples.hostile()))


def test_text_that_looks_like_markup_stays_text() -> None:
    result = samples.broken_check().model_copy(update={"message": "[red]list[0][/red]"})
    assert "[red]list[0][/red]" in summary_text(samples.report(Outcome.NOT_CONFORMANT, [result]))


def test_many_findings_are_cut_with_a_word_about_the_rest() -> None:
    checks = [samples.check(f"a.b{i}", Verdict.INCONCLUSIVE, "Title.", ["REG-03"], message="late") for i in range(30)]
    text = summary_text(samples.report(Outcome.INCONCLUSIVE, checks))
    assert text.count("INCONCLUSIVE  a.b") == 10
    assert "20 more INCONCLUSIVE checks: see the report" in text


def test_a_long_answer_is_cut_in_the_middle_as_logs_have_the_cause_at_their_end() -> None:
    result = samples.broken_check().model_copy(update={"message": "\n".join(f"line {i}" for i in range(50))})
    text = summary_text(samples.report(Outcome.NOT_CONFORMANT, [result]))
    assert "line 1\n  … 43 more lines: see the report\n  line 45\n" in text
    assert "line 49\n" in text
