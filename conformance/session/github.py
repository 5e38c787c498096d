"""GitHub Actions, told by the variables that it sets: the step's summary, and annotations in its log."""

import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from conformance.report.github import annotations, step_summary
from conformance.report.model import Report

SUMMARY_FILE = "GITHUB_STEP_SUMMARY"


def add_summary(report: Report, environ: Mapping[str, str] = os.environ) -> None:
    """Add the report to the summary of the step that this run is a part of; elsewhere nothing is written."""
    file = environ.get(SUMMARY_FILE)
    if file:
        # The summary is a courtesy: what keeps it from being written says nothing about the driver.
        with suppress(OSError), Path(file).open("a", encoding="utf-8") as summary:
            summary.write(f"{step_summary(report)}\n")


def in_log(report: Report, text: str, environ: Mapping[str, str] = os.environ) -> str:
    """The text for the log; on GitHub with annotations after it, and so that no line of it is taken for a command."""
    if environ.get("GITHUB_ACTIONS") != "true":
        return text
    token = secrets.token_hex(8)
    return f"::stop-commands::{token}\n{text}\n::{token}::\n{annotations(report)}"
