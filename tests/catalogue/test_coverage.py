"""Every obligation has a check, or says why it cannot have one; what it cites is there."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from conformance.catalogue import all_checks
from conformance.cli_coverage import Coverage, coverage_rows, summary
from conformance.requirement import Level, Requirement, catalogue

MODULES = {
    "k8s.io/kubernetes": "v1.37.2",
    "k8s.io/api": "v0.37.2",
    "k8s.io/kubelet": "v0.37.2",
    "k8s.io/dynamic-resource-allocation": "v0.37.2",
    "tags.cncf.io/container-device-interface": "v1.1.1",
    "tags.cncf.io/container-device-interface/specs-go": "v1.1.1",
    "github.com/containerd/containerd/v2": "v2.4.2",
}
CITED = re.compile(r"(?:k8s\.io|tags\.cncf\.io|github\.com)/[^\s;:]+(?::[\d, -]+)?")


def test_no_must_and_no_should_goes_without() -> None:
    assert [row.requirement.id for row in coverage_rows() if row.missing] == []


def test_what_has_a_check_has_no_excuse() -> None:
    assert [row.requirement.id for row in coverage_rows() if row.checks and row.requirement.unchecked] == []


def test_no_check_is_about_nothing() -> None:
    assert [id for id, entry in all_checks().items() if not entry.check.covers] == []


def test_reasons_are_sentences() -> None:
    reasons = [requirement.unchecked for requirement in catalogue().values() if requirement.unchecked]
    assert [reason for reason in reasons if not re.fullmatch(r"[A-Z].{20,}\.", reason)] == []


def test_uncovered_ones_come_first_and_are_counted() -> None:
    def row(level: Level, *checks: str, unchecked: str = "") -> Coverage:
        return Coverage(Requirement("X-01", level, "S.", "src", "area", unchecked=unchecked), checks)

    rows = [row(Level.MUST), row(Level.SHOULD, unchecked="No."), row(Level.MUST, "a.one"), row(Level.MAY)]
    assert [each.missing for each in rows] == [True, False, False, False]
    assert summary(rows, 1) == (
        "1 checks · MUST: 1 of 2 covered, 1 missing · SHOULD: 0 of 1 covered, 1 unchecked for a reason"
        " · MAY: 0 of 1 covered"
    )


@cache
def module_cache() -> Path | None:
    if shutil.which("go") is None:
        return None
    asked = subprocess.run(["go", "env", "GOMODCACHE"], capture_output=True, text=True, check=False)
    return Path(asked.stdout.strip())


def cited() -> Iterator[tuple[str, str, Path, str]]:
    """Each citation of a file whose module lies in Go's cache: requirement, text, file, lines."""
    folder = module_cache()
    for requirement in catalogue().values() if folder else ():
        for text in CITED.findall(requirement.source):
            path, _, lines = text.partition(":")
            module = max((name for name in MODULES if path.startswith(f"{name}/")), key=len)
            root = folder / f"{module}@{MODULES[module]}" if folder else Path()
            if root.is_dir():
                yield requirement.id, text, root / path.removeprefix(f"{module}/"), lines


@pytest.mark.skipif(not list(cited()), reason="the modules that are cited are not in Go's cache")
def test_cited_files_have_the_cited_lines() -> None:
    wrong = []
    for id, text, path, lines in cited():
        last = max((int(number) for number in re.findall(r"\d+", lines)), default=0)
        if not path.exists() or (last and len(path.read_text(encoding="utf-8").splitlines()) < last):
            wrong.append(f"{id}: {text}")
    assert wrong == []
