"""The catalogue of requirements is complete and says of each obligation where it comes from."""

import re
from collections import Counter
from importlib.resources import files

import yaml

from conformance.requirement import Level, catalogue
from conformance.target import Feature

AREAS = {
    "REG": "registration",
    "PREP": "preparation",
    "UNP": "unpreparing",
    "RS": "publishing",
    "CDI": "injection",
    "HLT": "health",
    "UPG": "upgrade",
    "SEC": "security",
    "STS": "status",
    "MET": "metadata",
    "OPS": "operations",
}
REQUIREMENTS = list(catalogue().values())
KNOWN_SOURCE = re.compile(
    r"(k8s\.io|tags\.cncf\.io|github\.com/containerd)/\S+|KEP-\d+( README:[\d, -]+)?|kubernetes/kubernetes issue \d+"
)


def test_none_was_lost() -> None:
    counts = Counter(requirement.level for requirement in REQUIREMENTS)
    assert counts == {Level.MUST: 82, Level.SHOULD: 54, Level.MAY: 6}


def test_ids_are_unique() -> None:
    text = files("conformance").joinpath("requirements.yaml").read_text(encoding="utf-8")
    ids = [row["id"] for row in yaml.safe_load(text)["requirements"]]
    assert [name for name, count in Counter(ids).items() if count > 1] == []


def test_ids_of_an_area_are_counted_without_gaps() -> None:
    numbers: dict[str, list[int]] = {}
    for requirement in REQUIREMENTS:
        prefix, number = requirement.id.split("-")
        numbers.setdefault(prefix, []).append(int(number))
    assert numbers == {prefix: list(range(1, len(found) + 1)) for prefix, found in numbers.items()}


def test_area_follows_from_the_id() -> None:
    assert [r.id for r in REQUIREMENTS if r.area != AREAS[r.id.partition("-")[0]]] == []


def test_statements_are_sentences_on_one_line() -> None:
    assert [r.statement for r in REQUIREMENTS if not re.fullmatch(r"[A-Za-z_].{20,}\.", r.statement)] == []


def test_sources_are_files_of_kubernetes_or_proposals() -> None:
    sources = [source for requirement in REQUIREMENTS for source in requirement.source.split("; ")]
    assert [source for source in sources if not KNOWN_SOURCE.match(source)] == []


def test_since_and_feature_are_known() -> None:
    assert {r.since for r in REQUIREMENTS} <= {"1.34", "1.35", "1.36", "1.37"}
    assert {r.feature for r in REQUIREMENTS} <= {"", *Feature}


def test_levels_of_our_own_are_marked() -> None:
    judged = {requirement.id for requirement in REQUIREMENTS if requirement.judgement}
    assert {"REG-24", "PREP-18", "PREP-19", "UNP-09", "CDI-10", "UPG-03"} <= judged
    assert "PREP-05" not in judged
