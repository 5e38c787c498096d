"""A report's folder: written so that report.json, which everything else is made from, changes last."""

import json
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from conformance.report.conclusion import GOOD, INCONCLUSIVE, NOTHING
from conformance.report.footer import report_digest
from conformance.report.model import SCHEMA_VERSION, Outcome, Report

REPORT_FILE = "report.json"
PAGE_FILE = "index.html"
JUNIT_FILE = "junit.xml"
CTRF_FILE = "ctrf.json"
FILES = (REPORT_FILE, PAGE_FILE, JUNIT_FILE, CTRF_FILE)


class ReportError(Exception):
    """A report cannot be read or written; the text says which file, why, and what to do."""


def write(report: Report, folder: Path) -> None:
    """Write index.html, junit.xml, ctrf.json and, last, report.json: all of them, or where that fails none.

    Makes the folder. Raises ReportError when the folder cannot be written.
    """
    from conformance.report.ctrf import ctrf
    from conformance.report.html import html
    from conformance.report.junit import junit

    texts = {
        PAGE_FILE: html(report, folder),
        JUNIT_FILE: junit(report),
        CTRF_FILE: ctrf(report),
        REPORT_FILE: report.model_dump_json(indent=2) + "\n",
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _replace(folder, texts)
    except OSError as error:
        raise ReportError(
            f"{folder}: the report cannot be written ({error.strerror}); choose another folder"
        ) from error


def load(path: Path) -> Report:
    """The report in a report.json, or in the folder that holds one, never looking better than its run.

    One that says that nothing is broken, but has no footer or no checks, or was changed, proves nothing. Raises
    ReportError with one sentence.
    """
    value = read(path)
    report = parse(path, value)
    doubt = _doubt(report, value)
    if doubt and report.outcome in GOOD:
        nothing = (Outcome.NOTHING, NOTHING)
        report.outcome, report.exit_status = (Outcome.INCONCLUSIVE, INCONCLUSIVE) if report.checks else nothing
        report.reason = doubt
    return report


def read(path: Path) -> dict[str, Any]:
    """The JSON of a report.json, or of the one in a folder, as it stands there. Raises ReportError."""
    file = file_of(path)
    try:
        value = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ReportError(f"{file}: cannot be read ({error.strerror}); give a report.json or its folder") from error
    except (ValueError, RecursionError) as error:
        raise ReportError(f"{file}: is not JSON ({error}); run the suite again to write it anew") from error
    _check_version(file, value)
    return dict(value)


def parse(path: Path, value: dict[str, Any]) -> Report:
    """The report that this JSON is, just as it says. Raises ReportError."""
    try:
        return Report.model_validate(value)
    except ValidationError as error:
        problem = f"{file_of(path)}: is not a report: {first_problem(error)}; run the suite again to write it anew"
        raise ReportError(problem) from error


def file_of(path: Path) -> Path:
    """The report.json that is meant by its path or by that of its folder."""
    return path / REPORT_FILE if path.is_dir() else path


def _doubt(report: Report, value: dict[str, Any]) -> str:
    if report.footer is None:
        return "the report has no footer, so its run did not come to its end"
    if not report.checks:
        return "the report has no checks"
    return "" if report.footer.report == report_digest(value) else "the report was changed after its run"


def _check_version(file: Path, value: Any) -> None:
    version = value.get("schema_version") if isinstance(value, dict) else None
    if version is None:
        raise ReportError(f"{file}: is not a report, as it has no schema_version; give the report.json of a run")
    if version != SCHEMA_VERSION:
        raise ReportError(
            f"{file}: has schema version {version!r}, and this dra-conformance reads {SCHEMA_VERSION};"
            " read it with the version that wrote it"
        )


def first_problem(error: ValidationError) -> str:
    """Where a value does not fit, and why."""
    problem = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(step) for step in problem["loc"]) or "the whole"
    return f"{where}: {problem['msg'][:1].lower()}{problem['msg'][1:]}"


def _replace(folder: Path, texts: Mapping[str, str]) -> None:
    """Write files of these names beside the old ones, and let them take their places once all are whole."""
    drafts: dict[str, str] = {}
    try:
        for name, text in texts.items():
            handle, drafts[name] = tempfile.mkstemp(prefix=f".{name}.", dir=folder)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(drafts[name], 0o644)
        for name in texts:
            os.replace(drafts[name], folder / name)
    except BaseException:
        for draft in drafts.values():
            with suppress(OSError):
                os.unlink(draft)
        raise
