"""The formats that a report is given out in, beside its page; each is made from report.json alone."""

from collections.abc import Callable, Mapping

from conformance.report.ctrf import ctrf
from conformance.report.github import annotations, step_summary
from conformance.report.junit import junit
from conformance.report.model import Report
from conformance.report.sarif import sarif

FORMATS: Mapping[str, Callable[[Report], str]] = {
    "junit": junit,
    "ctrf": ctrf,
    "sarif": sarif,
    "github-summary": step_summary,
    "github-annotations": annotations,
}
"""By the names that the command line knows them by."""
