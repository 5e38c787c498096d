"""Each finding about the drivers of kubernetes-pydra is a reviewed one, and each reviewed one is found."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import yaml

from conformance.target import Target
from conformance.verdict import Verdict
from tests import variants
from tests.whole_runs import keep

REVIEWED: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "pydra.yaml").read_text(encoding="utf-8"))
FOUND = (Verdict.FAIL, Verdict.WARN, Verdict.INCONCLUSIVE)
UNJUDGED: tuple[str, list[str]] = (Verdict.INCONCLUSIVE.value, [])
DRIVERS = tuple(REVIEWED["findings"])

Findings = dict[str, tuple[str, list[str]]]
"""By check: its verdict, and the requirements that were seen to be broken."""


def test_findings_are_those_that_were_reviewed(pydra: Path, tmp_path: Path) -> None:
    # Side by side, as each spends a minute waiting for slices that do not come back.
    with ThreadPoolExecutor() as pool:
        found = dict(zip(DRIVERS, pool.map(lambda driver: run(driver, tmp_path / driver), DRIVERS), strict=True))
    assert found == {driver: reviewed(driver, found[driver]) for driver in DRIVERS}


def test_the_source_says_what_was_read_there(pydra: Path) -> None:
    (packages,) = pydra.parents[1].glob("lib/*/site-packages")
    for row in rows():
        place = row["source"]
        lines = (packages / place["file"]).read_text(encoding="utf-8").splitlines()
        assert lines[place["line"] - 1].strip() == place["says"], place


@pytest.mark.parametrize("driver", DRIVERS)
def test_the_package_is_the_one_that_was_read(driver: str) -> None:
    section = Target.load(driver).file.python
    assert section
    assert (section.package, section.version) == (REVIEWED["package"], REVIEWED["version"])


def run(driver: str, folder: Path) -> Findings:
    """What a whole run finds."""
    verdicts = variants.run(driver, folder)
    keep(folder)
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    return {
        row["id"]: (row["verdict"], [each["requirement"] for each in row["findings"] if not each["holds"]])
        for row in report["checks"]
        if verdicts[row["id"]] in FOUND
    }


def reviewed(driver: str, found: Findings) -> Findings:
    """What is to be found: all that was reviewed; of races, what the driver's luck this time has made of them."""
    rows = REVIEWED["findings"][driver]
    lost = {check: row for check, row in rows.items() if check in found or not row.get("sometimes")}
    return {check: _expected(row, found.get(check)) for check, row in lost.items()}


def _expected(row: dict[str, Any], found: tuple[str, list[str]] | None) -> tuple[str, list[str]]:
    if row.get("sometimes") and found == UNJUDGED:
        return UNJUDGED
    return row["verdict"], row["requirements"]


def rows() -> Iterator[dict[str, Any]]:
    """Everything that was reviewed."""
    for reviewed in REVIEWED["findings"].values():
        yield from reviewed.values()
    yield from REVIEWED["unseen"]
