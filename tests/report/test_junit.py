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
    assert found.find("properties/property[@name='verdict'][@value='WARN']") is not None
    assert "REG-09 (SHOULD)" in (found.findtext("system-out") or "")


def test_a_run_that_proves_nothing_is_never_green() -> None:
    inconclusive = samples.report(Outcome.INCONCLUSIVE, exit_status=6, reason="no MUST was seen to hold")
    assert counts(inconclusive) == (5, 0, 1, 0)
    error = suite(samples.empty()).find("testcase[@classname='dra.run']/error")
    assert error is not None
    assert error.get("message") == "No verdict, no check was collected: no check matches -k nosuch"


def test_hostile_text_is_written_out() -> None:
    found = case(samples.hostile(), "preparation.hostile")
    title = found.find("properties/property[@name='title']")
    assert title is not None
    assert title.get("value") == f"Title {samples.HOSTILE}".replace("\x1b", "\\x1b").replace("\x00", "\\x00").replace(
        "\u202e", "\\u202e"
    )
