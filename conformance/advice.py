"""Advice: what usually lies behind a broken obligation and how it is mended, read from advice.yaml."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

import yaml


@dataclass(frozen=True)
class Advice:
    """Sentences for the author of a driver; causes are guesses, as nobody here has read that driver."""

    causes: tuple[str, ...]
    fix: str


@cache
def advice() -> Mapping[str, Advice]:
    """Advice by the id of its requirement, in the order of the catalogue; obligations that only permit have none."""
    text = files("conformance").joinpath("advice.yaml").read_text(encoding="utf-8")
    rows = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))["advice"]
    return MappingProxyType({id: Advice(tuple(row["causes"]), row["fix"]) for id, row in rows.items()})
