"""Reports: report.json is the one source; every other format is made from it."""

from conformance.report.model import (
    CheckResult,
    DriverInfo,
    FindingRecord,
    Outcome,
    Report,
    RequirementRecord,
    SuiteInfo,
    report_schema,
)
from conformance.report.obligations import headline
from conformance.report.store import ReportError, load, write

__all__ = [
    "CheckResult",
    "DriverInfo",
    "FindingRecord",
    "Outcome",
    "Report",
    "ReportError",
    "RequirementRecord",
    "SuiteInfo",
    "headline",
    "load",
    "report_schema",
    "write",
]
