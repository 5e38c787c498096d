"""Reading a file of waivers."""

import hashlib
from collections.abc import Collection, Iterator, Mapping
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from conformance.target.load import line_at, line_of, parse, reason_of
from conformance.target.problems import nearest, problems
from conformance.waivers.model import WaiverFile, Waivers

_MOST_BYTES = 1 << 20


class WaiverError(Exception):
    """The file of waivers cannot be used; the text is one sentence a problem, for its author. A usage error."""


def load(path: Path, name: str, day: date) -> Waivers:
    """The waivers of a file for a run on that day (UTC). `name`: the path as it was given.

    Raises WaiverError with one sentence for each problem, each beginning with file and line.
    """
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise WaiverError(f"--waivers={name}: cannot be read ({error.strerror}); give a file of waivers") from None
    root, data = _read(content, name)
    try:
        read = WaiverFile.model_validate(data)
    except ValidationError as error:
        found = [f"{name}:{line_at(root, where)}: {sentence}" for where, sentence in problems(error, data, WaiverFile)]
        raise WaiverError("\n".join(found)) from None
    lines = tuple(line_at(root, ("findings", number)) for number in range(len(read.findings)))
    waivers = Waivers(name, hashlib.sha256(content).hexdigest(), day, tuple(read.findings), lines)
    _refuse(waivers, _twice(waivers))
    return waivers


def refuse_unknown(waivers: Waivers, checks: Mapping[str, Collection[str]]) -> None:
    """Checks must be there, and judge the obligation. `checks`: what each covers, by id. Raises WaiverError."""
    _refuse(waivers, _unknown(waivers, checks))


def _read(content: bytes, name: str) -> tuple[yaml.Node | None, dict[str, Any]]:
    if len(content) > _MOST_BYTES:
        raise WaiverError(
            f"{name}: is longer than {_MOST_BYTES >> 20} MiB; let one waiver with `*` cover several findings"
        )
    try:
        root, data = parse(content.decode())
    except UnicodeDecodeError:
        raise WaiverError(f"{name}: is not UTF-8 text; give a YAML file") from None
    except RecursionError:
        raise WaiverError(f"{name}: is nested too deeply") from None
    except yaml.YAMLError as error:
        raise WaiverError(f"{name}:{line_of(error)}: is not YAML: {reason_of(error)}") from None
    if not isinstance(data, dict):
        raise WaiverError(f"{name}: is no map; begin with `findings:`, as docs/waivers.md shows")
    return root, data


def _refuse(waivers: Waivers, found: Iterator[tuple[int, str]]) -> None:
    sentences = [f"{waivers.file}:{line}: {sentence}" for line, sentence in found]
    if sentences:
        raise WaiverError("\n".join(sentences))


def _twice(waivers: Waivers) -> Iterator[tuple[int, str]]:
    """Two waivers of the same finding would differ in who answers for it."""
    first: dict[tuple[object, ...], int] = {}
    for number, w in enumerate(waivers.findings):
        before = first.setdefault((w.check, w.requirement, w.expected, tuple(w.observed or ())), number)
        if before != number:
            again = f"the finding of line {waivers.lines[before]} once more"
            yield waivers.lines[number], f"findings[{number}] is {again}; remove one of both"


def _unknown(waivers: Waivers, checks: Mapping[str, Collection[str]]) -> Iterator[tuple[int, str]]:
    hinted = cache(lambda check: nearest(check, checks) or "; see dra-conformance list")
    for number, (line, waiver) in enumerate(zip(waivers.lines, waivers.findings, strict=True)):
        if waiver.check not in checks:
            hint = hinted(waiver.check)
            yield line, f"findings[{number}].check: there is no check {waiver.check}{hint}"
        elif waiver.requirement not in checks[waiver.check]:
            judged = ", ".join(checks[waiver.check])
            yield line, f"findings[{number}].requirement: {waiver.check} judges {judged}, and not {waiver.requirement}"
