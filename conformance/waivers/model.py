"""What a waiver says: which finding, who answers for it, why, where it is being worked on, and until when."""

import json
import re
from dataclasses import dataclass
from datetime import date
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

from conformance.redact import redact_text

SCHEMA_FILE = Path(str(files("conformance").joinpath("waivers", "waivers.schema.json")))
"""The published JSON schema of a file of waivers."""

_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def words(text: object) -> object:
    """A text with single spaces, secrets redacted, as it is kept in reports; anything else as it is."""
    return redact_text(" ".join(text.split())) if isinstance(text, str) else text


def _day(value: object) -> date:
    """A day as it is written in the file; pydantic would take numbers and times for one, too."""
    try:
        if isinstance(value, date):
            return value
        if isinstance(value, str) and _DAY.fullmatch(value):
            return date.fromisoformat(value)
    except ValueError:
        pass
    raise PydanticCustomError("day", "a day such as 2027-02-28")


Line = Annotated[str, StringConstraints(min_length=1, max_length=2000), BeforeValidator(words)]
Day = Annotated[date, BeforeValidator(_day)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, alias_generator=str)


class Waived(_Model):
    """Who answers for a finding, why, where it is being worked on, and the last day (UTC) on which that counts."""

    owner: Line
    reason: Line
    issue: Line
    expires: Day

    def __str__(self) -> str:
        return f"waived by {self.owner} until {self.expires} ({self.issue}): {self.reason}"


class Waiver(Waived):
    """One finding that is waived: the check, the obligation, and what was expected; `*` stands for any text.

    observed: only as long as everything that was observed is like one of these; any observation where it is left out.
    """

    check: Line
    requirement: Line
    expected: Line
    observed: list[Line] | None = Field(default=None, min_length=1)

    @property
    def waived(self) -> Waived:
        """The part that is said of a finding."""
        return Waived(**{name: getattr(self, name) for name in Waived.model_fields})


class WaiverFile(_Model):
    """A whole file."""

    findings: list[Waiver]


@dataclass(frozen=True)
class Waivers:
    """The waivers of a run. file: as the command line names it; sha256: of its bytes; day: of the run, UTC.

    lines: where each of the findings begins in the file.
    """

    file: str
    sha256: str
    day: date
    findings: tuple[Waiver, ...]
    lines: tuple[int, ...]

    def facts(self) -> dict[str, Any]:
        """As JSON, for the history."""
        rows = zip(self.lines, self.findings, strict=True)
        findings = [{"line": line, **waiver.model_dump(mode="json")} for line, waiver in rows]
        return {"file": self.file, "sha256": self.sha256, "day": self.day.isoformat(), "findings": findings}

    @classmethod
    def of(cls, facts: dict[str, Any]) -> Self:
        """From that JSON. Raises KeyError, TypeError or ValueError for any other."""
        rows = [dict(row) for row in facts["findings"]]
        lines = tuple(int(row.pop("line")) for row in rows)
        findings = tuple(Waiver.model_validate(row) for row in rows)
        return cls(str(facts["file"]), str(facts["sha256"]), date.fromisoformat(facts["day"]), findings, lines)


def schema_text() -> str:
    """The published form of the JSON schema."""
    made = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **WaiverFile.model_json_schema(),
        "title": "Waivers of dra-conformance",
    }
    return json.dumps(made, indent=2) + "\n"
