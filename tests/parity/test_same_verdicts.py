"""Each check has the same verdict on the embedded cluster, on a real control plane and on a cluster of kind."""

import os
from pathlib import Path
from typing import Any

import pytest

from conformance.cluster.binaries import Binaries
from conformance.verdict import Verdict
from tests.parity.accepted import accepted
from tests.parity.conftest import Judged, Run

DRIVERS = ("reference", "kubernetes-test-driver")
MOST = 80  # checks that look at something that the reference driver offers
asked = pytest.mark.skipif(os.environ.get("DRA_KIND") != "1", reason="runs with DRA_KIND=1, as `make parity` does")


@asked
@pytest.mark.parametrize("driver", DRIVERS)
def test_on_a_real_control_plane(driver: str, binaries: Binaries, go_driver_binary: Path, judged: Run) -> None:
    embedded, there = judged(driver, "embedded"), judged(driver, "control-plane")
    other = differing(verdicts(embedded) | accepted(driver, "control-plane"), there)
    assert not other, "\n".join(other)


@asked
@pytest.mark.parametrize("driver", DRIVERS)
def test_on_kind(driver: str, judged: Run) -> None:
    embedded, there = judged(driver, "embedded"), judged(driver, "kind")
    other = differing(verdicts(embedded) | accepted(driver, "kind"), there)
    assert not other, "\n".join(other)


def test_the_reference_driver_keeps_all_obligations(judged: Run) -> None:
    found = verdicts(judged("reference", "embedded"))
    assert set(found.values()) <= {Verdict.PASS, Verdict.INFO, Verdict.NOT_APPLICABLE}
    assert list(found.values()).count(Verdict.PASS) >= MOST


def verdicts(judged: Judged) -> dict[str, Verdict]:
    return {id: Verdict(row["verdict"]) for id, row in judged.items()}


def differing(expected: dict[str, Verdict], there: Judged) -> list[str]:
    """For each check with another verdict than expected: both, and what was found there; the causes come first."""
    other = [id for id in expected | there if there.get(id, {}).get("verdict") != expected.get(id)]
    other.sort(key=lambda id: there.get(id, {}).get("verdict") == Verdict.BLOCKED)
    return [f"{id}: {expected.get(id, 'not known')} expected, {said(there.get(id, {}))}" for id in other]


def said(row: dict[str, Any]) -> str:
    broken = [finding for finding in row.get("findings", ()) if not finding["holds"]]
    return f"{row.get('verdict', 'did not run')}: {row.get('message')} {broken}"
