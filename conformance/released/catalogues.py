"""Obligations and checks as a release had them: v1.37.json and its like beside this file, which never change again."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from conformance import __version__
from conformance.catalogue import all_checks
from conformance.cluster.binaries.version import DEFAULT_VERSION
from conformance.identity import catalogue_digest
from conformance.requirement import catalogue

_REQUIREMENT = ("id", "level", "area", "feature", "since", "statement", "source")
_CHECK = ("id", "profile", "tier", "covers", "title")
_WORDS = {
    "level": "has another level",
    "feature": "is asked of other drivers",
    "since": "is asked for since another version",
    "statement": "says something else",
}


@dataclass(frozen=True)
class Catalogue:
    """kubernetes: minor version; suite: version that released it; digest: SHA-256 of requirements.yaml, as reports
    name it; requirements, checks: by id."""

    kubernetes: str
    suite: str
    digest: str
    requirements: dict[str, dict[str, Any]]
    checks: dict[str, dict[str, Any]]

    def counts(self) -> dict[str, int]:
        """How many obligations of each level there are, and how many checks."""
        levels = [row["level"] for row in self.requirements.values()]
        return {**{level: levels.count(level) for level in ("MUST", "SHOULD", "MAY")}, "checks": len(self.checks)}

    def text(self) -> str:
        """As a file has it."""
        document = {
            "kubernetes": self.kubernetes,
            "suite": self.suite,
            "catalogue": self.digest,
            "requirements": list(self.requirements.values()),
            "checks": list(self.checks.values()),
        }
        return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def now() -> Catalogue:
    """The catalogue of this suite."""
    requirements = [{name: getattr(row, name) for name in _REQUIREMENT} for row in catalogue().values()]
    checks = [{name: getattr(entry.check, name) for name in _CHECK} for entry in all_checks().values()]
    minor = DEFAULT_VERSION.rpartition(".")[0]
    return _made(
        {
            "kubernetes": minor,
            "suite": __version__,
            "catalogue": catalogue_digest(),
            # The way through JSON makes it equal to one that is read.
            "requirements": json.loads(json.dumps(requirements)),
            "checks": json.loads(json.dumps(checks)),
        }
    )


def names() -> list[str]:
    """Minor versions of which there is a released catalogue, the newest last."""
    found = [path.name[1:-5] for path in files(__package__).iterdir() if path.name.endswith(".json")]
    return sorted(found, key=lambda minor: [int(part) for part in minor.split(".")])


def read(kubernetes: str) -> Catalogue:
    """The released catalogue of a minor version, such as 1.37. Raises OSError where there is none."""
    return _made(json.loads(files(__package__).joinpath(f"v{kubernetes}.json").read_text(encoding="utf-8")))


def differences(old: Catalogue, new: Catalogue) -> Iterator[tuple[str, str]]:
    """Ids of obligations and checks that are not what they were, each with what has changed."""
    for id, row in old.requirements.items():
        later = new.requirements.get(id)
        if later is None:
            yield id, "is no longer there"
            continue
        for name, words in _WORDS.items():
            if row[name] != later[name]:
                yield id, words
    for id, row in new.requirements.items():
        if id not in old.requirements:
            yield id, f"is new, a {row['level']}"
    yield from ((id, "is no longer there") for id in old.checks if id not in new.checks)
    yield from ((id, "is new") for id in new.checks if id not in old.checks)


def _made(document: dict[str, Any]) -> Catalogue:
    rows = [{row["id"]: row for row in document[name]} for name in ("requirements", "checks")]
    return Catalogue(document["kubernetes"], document["suite"], document["catalogue"], *rows)
