"""The report's model: what report.json holds. Its JSON schema is published as reports/schema (see `dra-conformance schema`)."""

from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from conformance.verdict import Verdict

SCHEMA_VERSION = 1


class Outcome(StrEnum):
    """What the whole run says; the order is that of precedence."""

    INTERRUPTED = "interrupted"
    ERROR = "error"
    NOTHING = "nothing-collected"
    NOT_CONFORMANT = "not-conformant"
    INCOMPLETE = "incomplete"
    INCONCLUSIVE = "inconclusive"
    SELECTION = "selection"
    CONFORMANT = "conformant"


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid")


class FindingRecord(_Model):
    """One obligation judged by a check."""

    requirement: str
    level: str
    sentence: str
    holds: bool
    got: Any = None
    want: Any = None


class CheckResult(_Model):
    """One check: its header, its verdict and what led to it.

    `message` is one or a few lines for a person; `started` in Unix seconds, `seconds` its duration;
    `evidence` are paths relative to the report's folder; `reproduce` is the command that runs just this check.
    """

    id: str
    title: str
    area: str
    profile: str
    tier: str
    covers: list[str]
    node_id: str
    verdict: Verdict
    message: str = ""
    findings: list[FindingRecord] = Field(default_factory=list)
    started: float = 0.0
    seconds: float = 0.0
    worker: str = ""
    evidence: list[str] = Field(default_factory=list)
    reproduce: str = ""


class DriverInfo(_Model):
    """The driver under test."""

    file: str
    name: str
    device_classes: list[str] = Field(default_factory=list)
    supported_versions: list[str] = Field(default_factory=list)
    features_claimed: list[str] = Field(default_factory=list)
    features_seen: list[str] = Field(default_factory=list)
    mocks: str = ""


class SuiteInfo(_Model):
    """The suite that judged: version, and the SHA-256 of its catalogue of requirements."""

    version: str
    catalogue: str


class Report(_Model):
    """A whole run."""

    schema_version: int = SCHEMA_VERSION
    suite: SuiteInfo
    driver: DriverInfo
    cluster: dict[str, Any] = Field(default_factory=dict)
    settings: dict[str, Any] = Field(default_factory=dict)
    started: float
    finished: float | None = None
    outcome: Outcome
    exit_status: int | None = None
    reason: str = ""
    selection: bool = False
    profiles: list[str] = Field(default_factory=list)
    tier: str = ""
    checks: list[CheckResult] = Field(default_factory=list)
    counts: dict[Verdict, int] = Field(default_factory=dict)
    notes: list[str] = Field(default_factory=list)
