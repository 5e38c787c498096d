"""API objects as people read them: YAML without what the server adds, and what changed from one version to the next."""

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from conformance.history import Event

SHOWN = ("resourceclaims", "pods", "resourceslices", "resourceclaimtemplates", "deviceclasses", "devicetaintrules")
MOST = 60
"""Changes that are shown of one check; the rest are in its evidence."""

_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


@dataclass(frozen=True)
class Change:
    """What became of an object; `lines`: pairs of a sign (`+`, `-`, a space or `@`) and the text, none when it went."""

    at: float
    what: str
    lines: Sequence[tuple[str, str]]


def as_yaml(value: Mapping[str, Any]) -> str:
    """The object as a manifest would have it: in its own order, in the block style."""
    return yaml.dump(value, Dumper=_DUMPER, sort_keys=False, allow_unicode=True, width=110)


def changes(events: Iterable[Event]) -> Iterator[Change]:
    """The changes of a check's objects: whole when they are made, as a diff when they change."""
    before: dict[tuple[str, str], list[str]] = {}
    for event in events:
        if event.kind != "api" or event["resource"] not in SHOWN:
            continue
        obj, metadata = event["object"], event["object"]["metadata"]
        key = (event["resource"], str(metadata.get("uid")))
        now = as_yaml(_stripped(obj)).splitlines()
        gone = event["type"] == "DELETED"
        lines = [] if gone else list(_diff(before.get(key), now))
        before[key] = now
        name = "/".join(filter(None, (metadata.get("namespace"), metadata.get("name"))))
        if lines or gone:
            yield Change(event.time, f"{event['type']} {obj.get('kind', event['resource'])} {name}", lines)


def _diff(old: list[str] | None, new: list[str]) -> Iterator[tuple[str, str]]:
    if old is None:
        yield from (("+", line) for line in new)
        return
    for line in list(difflib.unified_diff(old, new, n=2, lineterm=""))[2:]:
        yield (line[0], line[1:] if line[0] != "@" else "…")


def _stripped(obj: Mapping[str, Any]) -> dict[str, Any]:
    """The object without what only tells who wrote which field, and which number the version has."""
    metadata = {k: v for k, v in obj["metadata"].items() if k not in ("managedFields", "resourceVersion")}
    return {**obj, "metadata": metadata}
