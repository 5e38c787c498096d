"""Which finding a waiver means, and how a finding is named so that another run finds it under the same name.

A finding is one obligation judged in one place of one check: its check, its requirement and the sentence that was
expected. Sentences may hold what differs between runs; a baseline has `*` there.
"""

import json
import re
from typing import Any, Protocol

from conformance.history import capped
from conformance.waivers.model import Waiver, words

_CONSONANTS = "bcdfghjklmnpqrstvwxz2456789"  # of which Kubernetes makes the ends of generated names
_DIFFERS = re.compile(
    "|".join(
        [
            r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",  # UIDs
            r"(?:/[\w.-]+)*/dc[0-9a-f]{4}(?=/)",  # the folder of a run
            r"(?<=/proc/)\d+",
            r"(?<=--conformance-seed=)\d+",
            r"(?<=\(round )\d+(?= of \d)",
            r"(?<![\w.-])\d+(?:\.\d+)?(?=\s?(?:ms|s|µs|KiB|MiB|GiB|%)(?!\w))",  # measured
            r"(?<=\buser-)\d+\b",  # pods that a check starts at once
            rf"(?<=[a-z0-9]-)[{_CONSONANTS}]{{5}}(?![\w-])",
            r"(?<=\bdra-conformance-)dc[0-9a-f]+",  # clusters made by kind for a run
            r"(?<=[\d\]]:)\d{4,5}\b",  # ports
        ]
    )
)


class Found(Protocol):
    """A finding, as a report keeps it."""

    @property
    def requirement(self) -> str:
        """Its obligation."""

    @property
    def sentence(self) -> str:
        """What was expected."""

    @property
    def got(self) -> Any:
        """What was observed."""


def general(text: str) -> str:
    """A text in which `*` stands for all that differs between runs of the same driver."""
    return _DIFFERS.sub("*", str(words(text)))


def about(waiver: Waiver, check: str, finding: Found) -> bool:
    """Whether the waiver is about what was judged here, whatever was observed."""
    same = (waiver.check, waiver.requirement) == (check, finding.requirement)
    return same and _like(waiver.expected, finding.sentence)


def means(waiver: Waiver, check: str, finding: Found) -> bool:
    """Whether this is the finding that the waiver is about; whether its day has passed is another question."""
    known = waiver.observed
    return about(waiver, check, finding) and (
        known is None or all(any(_like(one, text) for one in known) for text in seen(finding))
    )


def seen(finding: Found) -> list[str]:
    """What was observed, as texts: one for each entry of a list."""
    got = capped(finding.got)
    return [str(words(_text(item))) for item in (got if isinstance(got, list) else [got])]


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


def _like(pattern: str, text: str) -> bool:
    """Whether the text is the pattern, in which `*` stands for any text."""
    first, *rest = _bare(pattern).split("*")
    left = _bare(str(words(text)))
    if not rest:
        return left == first
    if not left.startswith(first) or not left[len(first) :].endswith(rest[-1]):
        return False
    left = left[len(first) : len(left) - len(rest[-1])]
    for part in rest[:-1]:
        _, found, left = left.partition(part) if part else ("", "-", left)
        if not found:
            return False
    return True


def _bare(sentence: str) -> str:
    """Reports say `expected that …`: whoever copies a sentence may have copied its first word."""
    return sentence.removeprefix("that ")
