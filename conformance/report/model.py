"""The report's model: what report.json holds. Its JSON schema is published in conformance/report/schema."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from conformance.expect import Finding
from conformance.report.footer import report_digest
from conformance.report.text import plain
from conformance.requirement import Level, Requirement, catalogue
from conformance.verdict import Verdict
from conformance.waivers.model import Waived, Waiver

SCHEMA_VERSION = 1

# Whatever a check hands over becomes JSON: secrets redacted, bounded, writable as UTF-8.
Text = Annotated[str, BeforeValidator(plain)]
Value = Annotated[Any, BeforeValidator(plain)]
Values = Annotated[dict[str, Any], BeforeValidator(plain)]
Texts = Annotated[list[str], BeforeValidator(plain)]


class Outcome(StrEnum):
    """What the whole run says; the order is that of precedence."""

    INTERRUPTED = "interrupted"
    ERROR = "error"
    NOTHING = "nothing-collected"
    NOT_CONFORMANT = "not-conformant"
    INCOMPLETE = "incomplete"
    INCONCLUSIVE = "inconclusive"
    WAIVED = "waived"
    SELECTION = "selection"
    CONFORMANT = "conformant"


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid")


class RequirementRecord(_Model):
    """One obligation of the contract, as it stood when the run was judged."""

    id: str
    level: Level
    statement: str
    source: str = ""
    area: str = ""
    since: str = ""
    feature: str = ""
    judgement: bool = False

    @classmethod
    def of(cls, requirement: Requirement) -> Self:
        """The record of a requirement of the catalogue."""
        return cls(**{name: getattr(requirement, name) for name in cls.model_fields})


class FindingRecord(_Model):
    """One obligation judged by a check. `waived`: who answers for it where a waiver covers that it does not hold."""

    requirement: str
    level: Level
    sentence: Text
    holds: bool
    got: Value = None
    want: Value = None
    waived: Waived | None = None

    @classmethod
    def of(cls, finding: Finding) -> Self:
        """The record of a finding; values that JSON cannot hold become text."""
        return cls(**vars(finding))


class CheckResult(_Model):
    """One check: its header, its verdict and what led to it.

    `message` is one or a few lines for a person; `started` in Unix seconds, `seconds` its duration;
    `evidence` are paths relative to the report's folder; `reproduce` is the command that runs just this check;
    `attempts` is more than 1 where a plugin of pytest tries failed tests again.
    """

    id: str
    title: Text
    area: str
    profile: str
    tier: str
    covers: list[str]
    needs: list[str] = Field(default_factory=list)
    node_id: str
    verdict: Verdict
    message: Text = ""
    findings: list[FindingRecord] = Field(default_factory=list)
    started: float = 0.0
    seconds: float = 0.0
    attempts: int = 1
    worker: str = ""
    evidence: Texts = Field(default_factory=list)
    reproduce: Text = ""

    @property
    def missed(self) -> list[FindingRecord]:
        """Findings that do not hold."""
        return [f for f in self.findings if not f.holds]

    @property
    def unwaived(self) -> Verdict:
        """The verdict that it has without waivers. One that is waived and does not say which finding counts as FAIL."""
        if self.verdict is not Verdict.WAIVED:
            return self.verdict
        return Verdict.FAIL if any(f.level is Level.MUST for f in self.missed) or not self.missed else Verdict.WARN

    @property
    def remark(self) -> str:
        """The message, unless it only repeats a finding."""
        told = (f"{f.requirement} ({f.level}): expected that {f.sentence}" for f in self.findings)
        return "" if self.message.startswith(tuple(told)) else self.message.strip()


class DriverInfo(_Model):
    """The driver under test. `features_seen` were read off its answers and slices.

    `images` are those that its containers were seen to run, each with the digest that the node gives for it.
    """

    file: Text
    name: Text
    version: Text = ""
    images: Annotated[dict[str, str], BeforeValidator(plain)] = Field(default_factory=dict)
    device_classes: Texts = Field(default_factory=list)
    supported_versions: Texts = Field(default_factory=list)
    features_claimed: Texts = Field(default_factory=list)
    features_seen: Texts = Field(default_factory=list)
    mocks: Text = ""


class SuiteInfo(_Model):
    """The suite that judged: version, and the SHA-256 of its catalogue of requirements.

    `commit` is that of a clone, with `-dirty` where files were changed, and empty where it is installed from a package;
    `digest` is the SHA-256 of its checks and of all else that decides.
    """

    version: str
    catalogue: str
    commit: str = ""
    digest: str = ""


class WaiverState(StrEnum):
    """What has become of a waiver in a run."""

    WAIVES = "waives"
    EXPIRED = "expired"
    GONE = "gone"
    NOT_JUDGED = "not judged"

    @property
    def meaning(self) -> str:
        """The state's definition in one sentence, as reports print it."""
        return _STATES[self]


_STATES = {
    WaiverState.WAIVES: "It covers a finding of this run.",
    WaiverState.EXPIRED: "Its last day has passed, so it covers nothing.",
    WaiverState.GONE: "An unexpected pass: its check ran and did not find this. The waiver can be deleted.",
    WaiverState.NOT_JUDGED: "Its check did not run, or did not get as far as judging this.",
}


class WaiverUse(Waiver):
    """A waiver, the line of the file where it begins, and what has become of it."""

    line: int
    state: WaiverState


class WaiversRecord(_Model):
    """The waivers of a run: the file as it was named, the SHA-256 of its bytes, and the day (UTC) that they were held
    against."""

    file: Text
    sha256: str
    day: str
    findings: list[WaiverUse] = Field(default_factory=list)


class Footer(_Model):
    """Written when a run has come to its end. `dra-conformance verify` holds the rest of the report against it.

    `report` is the SHA-256 of report.json as canonical JSON (keys sorted, no spaces, UTF-8) without the footer,
    `history` that of history.jsonl, empty where no check began.
    """

    selected: int
    run: int
    outcome: Outcome
    report: str
    history: str = ""


class Report(_Model):
    """A whole run. Times are Unix seconds; `requirements` are those that the checks cover."""

    schema_version: int = SCHEMA_VERSION
    suite: SuiteInfo
    driver: DriverInfo
    cluster: Values = Field(default_factory=dict)
    settings: Values = Field(default_factory=dict)
    started: float
    finished: float | None = None
    outcome: Outcome
    exit_status: int | None = None
    reason: Text = ""
    selection: bool = False
    profiles: list[str] = Field(default_factory=list)
    tier: str = ""
    checks: list[CheckResult] = Field(default_factory=list)
    counts: dict[Verdict, int] = Field(default_factory=dict)
    requirements: list[RequirementRecord] = Field(default_factory=list)
    notes: Texts = Field(default_factory=list)
    waivers: WaiversRecord | None = None
    footer: Footer | None = None

    @classmethod
    def build(cls, *, requirements: Mapping[str, Requirement] | None = None, **values: Any) -> Self:
        """A report with its counts, and the obligations that its checks cover, filled in; sealed when it has finished.

        `requirements` is the catalogue to take them from, by default the one that ships; every other keyword is a
        field of the report. Raises pydantic.ValidationError for a value that does not fit.
        """
        report = cls(**values)
        known = catalogue() if requirements is None else requirements
        covered = {name for result in report.checks for name in result.covers}
        report.requirements = [RequirementRecord.of(r) for r in known.values() if r.id in covered]
        report.counts = count(report.checks)
        if report.finished is not None:
            report.seal(selected=len(report.checks))
        return report

    def seal(self, *, selected: int, history: str = "") -> None:
        """Write the footer. selected: how many checks were to run; history: SHA-256 of history.jsonl."""
        self.footer = Footer(
            selected=selected,
            run=len(self.checks),
            outcome=self.outcome,
            report=report_digest(json.loads(self.model_dump_json())),
            history=history,
        )

    def with_verdict(self, *verdicts: Verdict) -> list[CheckResult]:
        """The checks with one of these verdicts, in the order in which they ran."""
        return [result for result in self.checks if result.verdict in verdicts]


def count(checks: Iterable[CheckResult]) -> dict[Verdict, int]:
    """How many checks have each verdict; every verdict is there, also with 0."""
    seen = Counter(result.verdict for result in checks)
    return {verdict: seen[verdict] for verdict in Verdict}


def report_schema() -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of report.json."""
    schema = Report.model_json_schema(mode="serialization")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:dra-conformance:report:v{SCHEMA_VERSION}",
        **schema,
        "title": "DRA conformance report",
    }
