"""The seven behaviours of KEP-5970 in reports: a line for each, and never a better one than its checks."""

from conformance.report.behaviours import behaviours
from conformance.report.html import html
from conformance.report.terminal import summary_text
from conformance.verdict import Verdict
from tests.report import samples


def test_each_has_the_verdict_of_its_checks_and_none_is_good_without() -> None:
    found = {row.behaviour.number: row.verdict for row in behaviours(samples.seven())}
    not_run = dict.fromkeys((2, 3, 6, 7), Verdict.NOT_RUN)
    assert found == {1: Verdict.PASS, 4: Verdict.WARN, 5: Verdict.INCONCLUSIVE, **not_run}


def test_reports_of_other_profiles_say_nothing_of_them() -> None:
    assert behaviours(samples.good()) == []
    assert "KEP-5970" not in html(samples.good())
    assert "1  the driver registers" not in summary_text(samples.good())


def test_terminal_and_page_have_a_line_for_each() -> None:
    text, page = summary_text(samples.seven()), html(samples.seven())
    assert "1  the driver registers with the kubelet: PASS (registration.known)" in text
    assert "7  the device can be used again: NOT RUN (unpreparing.device_used_again)" in text
    assert page.count('<li><span class="badge v-') >= 7
    assert "&lt;script&gt;alert(1)&lt;/script&gt; the log cannot be read" in page


def test_checks_that_did_not_run_are_no_links() -> None:
    page = html(samples.seven())
    assert 'href="#registration.known"' in page
    assert 'href="#allocation.of_class"' not in page
