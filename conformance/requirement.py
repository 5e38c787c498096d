"""Requirements: the obligations of the DRA contract, read from requirements.yaml."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from types import MappingProxyType

import yaml


class Level(StrEnum):
    """How strongly the contract asks for it (RFC 2119)."""

    MUST = "MUST"
    SHOULD = "SHOULD"
    MAY = "MAY"


@dataclass(frozen=True)
class Requirement:
    """One obligation of a DRA driver.

    `source` names the KEP, API field or file in Kubernetes that states it; `since` is the first Kubernetes
    minor version that asks for it; `area` groups requirements in reports. `feature` names the optional feature
    whose drivers alone owe it, empty for all drivers. `judgement` marks a level that the source does not state.
    `unchecked` says why no check can observe it, empty where one does.
    """

    id: str
    level: Level
    statement: str
    source: str
    area: str
    since: str = "1.34"
    feature: str = ""
    judgement: bool = False
    unchecked: str = ""


@cache
def catalogue() -> Mapping[str, Requirement]:
    """Every requirement by id, in the order of the catalogue."""
    text = files("conformance").joinpath("requirements.yaml").read_text(encoding="utf-8")
    rows = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))["requirements"]
    return MappingProxyType({row["id"]: Requirement(**{**row, "level": Level(row["level"])}) for row in rows})
