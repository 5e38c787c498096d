"""junit.xml: read back as a CI system reads it."""

from xml.etree import ElementTree as ET

import pytest

from conformance.report import Outcome, Report
from conformance.report.junit import junit
from tests.report import samples


def suite(report: Report) -> ET.Element:
    found = ET.fromstring(junit(report)).find("testsuite")
    assert found is not None
    return found


def counts(report: Report) -> tuple[int, int, int, int]:
    """Tests, failures, errors, skipped, as the suite says and as its cases show: both must agree."""
    element = suite(report)
    said = tuple(int(element.get(name, "")) for name in ("tests", "failures", "errors", "skipped"))
    shown = tuple(len(element.findall(path)) for path in ("testcase", "*/failure", "*/error", "*/skipped"))
    assert said == shown
    tests, failures, errors, skipped = said
    return tests, failures, errors, skipped


def case(report: Report, name: str) -> ET.Element:
    found = suite(report).find(f"testcase[@name='{name}']")
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("report", "expected"),
    [
        (samples.good(), (4, 0, 0, 0)),
        (samples.bad(), (12, 1, 1, 4)),
        (samples.interrupted(), (6, 0, 1, 1)),
        (samples.empty(), (1, 0, 1, 0)),
        (samples.hostile(), (1, 1, 0, 0)),
        (samples.long(), (200, 1, 1, 2)),
    ],
    ids=["good", "bad", "interrupted", "empty", "hostile", "long"],
)
def test_counts(report: Report, expected: tuple[int, int, int, int]) -> None:
    assert counts(report) == expected


def test_a_check_has_a_stable_name() -> None:
    found = case(samples.bad(), "preparation.repeat_same_devices")
    assert found.get("classname") == "dra.preparation"


def test_a_failure_holds_what_was_expected_and_observed() -> None:
    failure = case(samples.bad(), "preparation.repeat_same_devices").find("failure")
    assert failure is not None
    assert "PREP-05 (MUST): expected that a repeated Prepare succeeds" in (failure.text or "")
    assert "device gpu-3 is already in use" in failure.get("message", "")


def test_skipped_checks_say_which_verdict_and_why() -> None:
    skipped = case(samples.bad(), "upgrade.two_instances").find("skipped")
    assert skipped is not None
    assert skipped.attrib == {"type": "NOT_RUN", "message": "The driver file has no hook `upgrade`."}


def test_a_warning_passes_and_is_told() -> None:
    found = case(samples.bad(), "registration.newest_first")
    assert found.find("failure") is None
    said = found.findtext("system-out") or ""
    assert said.startswith("verdict: WARN\n")
    assert "REG-09 (SHOULD)" in said


def test_a_run_that_proves_nothing_is_never_green() -> None:
    inconclusive = samples.report(Outcome.INCONCLUSIVE, exit_status=6, reason="no MUST was seen to hold")
    assert counts(inconclusive) == (5, 0, 1, 0)
    error = suite(samples.empty()).find("testcase[@classname='dra.run']/error")
    assert error is not None
    assert error.get("message") == "No verdict, no check was collected: no check matches -k nosuch"


def test_hostile_text_is_written_out() -> None:
    said = case(samples.hostile(), "preparation.hostile").findtext("system-out") or ""
    hostile = samples.HOSTILE.replace("\x1b", "\\x1b").replace("\x00", "\\x00").replace("\u202e", "\\u202e")
    assert f"title: Title {hostile}\n" in said


def test_the_cases_of_a_parametrized_check_have_names_of_their_own() -> None:
    checks = [samples.good_checks()[0].model_copy(update={"node_id": f"test_a.py::test_a[{n}]"}) for n in (1, 2)]
    names = [found.get("name") for found in suite(samples.report(checks=checks)).iter("testcase")]
    assert names == ["registration.get_info_while_busy[1]", "registration.get_info_while_busy[2]"]


def test_what_is_good_but_did_not_exit_with_0_has_an_error() -> None:
    """Tests that are no checks failed beside them."""
    beside = samples.report(exit_status=1, reason="2 other tests failed")
    assert counts(beside) == (5, 0, 1, 0)
    error = suite(beside).find("testcase[@classname='dra.run']/error")
    assert error is not None
    assert (error.get("message") or "").startswith("2 other tests failed: ")


def test_a_driver_cannot_make_gitlab_link_to_files() -> None:
    found = samples.good_checks()[0].model_copy(update={"title": "[[ATTACHMENT|/etc/passwd]]"})
    assert "[[ATTACHMENT|" not in junit(samples.report(checks=[found]))
