"""metadata.yaml: who submits a report, where the driver is at home, and how the run is repeated."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path
from urllib.parse import urlsplit

import yaml

from conformance.index.private import private_text

_LINE, _TEXT = 200, 4000  # characters


@dataclass(frozen=True)
class Metadata:
    """What a submitter says.

    organisation: who submits; reproduce: commands that repeat the run; homepage: of the driver, http or https, where it
    has one; version: of the driver, for a report that has none; notes: what a reader should know besides.
    """

    organisation: str
    reproduce: str
    homepage: str = ""
    version: str = ""
    notes: str = ""


REQUIRED = ("organisation", "reproduce")
_KNOWN = tuple(each.name for each in fields(Metadata))
_LONG = ("reproduce", "notes")


@dataclass
class _Read:
    """Values and their lines, as far as they could be read, and what is wrong: line and sentence."""

    values: dict[str, str] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    problems: list[tuple[int, str]] = field(default_factory=list)


def read(file: Path) -> tuple[Metadata | None, list[str]]:
    """The metadata, or one sentence for each problem, which begins with the line."""
    try:
        text = file.read_text(encoding="utf-8")
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except UnicodeDecodeError:
        return None, ["1: is not UTF-8 text"]
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        return None, [f"{mark.line + 1 if mark else 1}: is not YAML: {getattr(error, 'problem', None) or error}"]
    except RecursionError:
        return None, ["1: is nested too deeply"]
    if not isinstance(root, yaml.MappingNode):
        return None, [f"1: is no map; it has {', '.join(REQUIRED)}, and may have homepage, version and notes"]
    found = _scalars(root)
    found.problems += [(1, f"{key} is missing; add it") for key in REQUIRED if not found.values.get(key, "").strip()]
    found.problems += [(found.lines[key], said) for key, value in found.values.items() for said in _wrong(key, value)]
    if found.problems:
        return None, [f"{line}: {said}" for line, said in sorted(found.problems)]
    return Metadata(**{key: value.strip() for key, value in found.values.items()}), []


def write(metadata: Metadata, file: Path) -> None:
    """Write the file that `read` reads."""
    values = {key: value for key, value in vars(metadata).items() if value}
    file.write_text(yaml.safe_dump(values, allow_unicode=True, sort_keys=False, width=1000), encoding="utf-8")


def _scalars(root: yaml.MappingNode) -> _Read:
    """Every value as the text that stands there, so that a version 1.10 stays what it is."""
    found = _Read()
    for key, value in root.value:
        line, name = key.start_mark.line + 1, str(key.value)
        if name not in _KNOWN:
            found.problems.append((line, f"unknown key {name[:40]!r}; known are {', '.join(_KNOWN)}"))
        elif name in found.values:
            found.problems.append((line, f"{name} is given twice"))
        elif not isinstance(value, yaml.ScalarNode):
            found.problems.append((line, f"{name} is no text; put it in quotes"))
            found.values[name], found.lines[name] = "?", line
        else:
            found.values[name], found.lines[name] = value.value, line
    return found


def _wrong(key: str, value: str) -> Iterator[str]:
    most = _TEXT if key in _LONG else _LINE
    if len(value) > most:
        yield f"{key} has {len(value)} characters, and at most {most} are wanted"
    allowed = "\n\t" if key in _LONG else ""
    unseen = [c for c in value.strip() if unicodedata.category(c)[0] == "C" and c not in allowed]
    if unseen:
        yield f"{key} has a character that cannot be seen (U+{ord(unseen[0]):04X}); remove it"
    what = private_text(value)
    if what:
        yield f"{key} holds {what}; remove it"
    if key == "homepage" and value.strip() and not _is_address(value.strip()):
        yield "homepage is no address that a browser opens; give one that begins with https:// or http://"


def _is_address(value: str) -> bool:
    try:
        parts = urlsplit(value)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and " " not in value
    except ValueError:
        return False
