"""The forms of what a run keeps while it goes on: a later process reads it, whatever has become of the files since."""

from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from conformance.report.model import CheckResult, FindingRecord
from conformance.report.store import first_problem


class Form(BaseModel):
    """Part of a file."""

    model_config = ConfigDict(extra="allow")


class Run(Form):
    """What a run is. See `resume.described`."""

    described: dict[str, str]
    seed: int
    started: float
    selected: list[str]


class Facts(Form):
    """What was known about cluster and driver when a check ended."""

    cluster: dict[str, Any] = {}
    features_seen: list[str] = []
    supported_versions: list[str] = []
    images: dict[str, str] = {}
    sees_calls: bool = True


class Payload(Form):
    """The result of a check."""

    result: CheckResult
    facts: Facts
    unseen: bool


class Kept(Form):
    """What a part of a run has taken over from those before it."""

    results: dict[str, Payload]
    broken: dict[str, list[FindingRecord]]
    events: int


def misfit(value: object, form: type[Form]) -> str:
    """Why a JSON value is not of the form, "" where it is."""
    try:
        form.model_validate(value)
    except ValidationError as error:
        return first_problem(error)
    return ""
