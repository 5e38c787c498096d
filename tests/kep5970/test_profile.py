"""Profile kep-5970 on somebody's cluster, with nothing but names given."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance import kep5970
from conformance.cluster.binaries import Binaries
from conformance.report.model import Report
from conformance.verdict import Verdict
from tests.kep5970.somebody import Somebody, somebody


@pytest.fixture(scope="module")
def cluster(binaries: Binaries, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Somebody]:
    """A cluster with the reference driver on it."""
    with somebody(binaries, tmp_path_factory.mktemp("somebody")) as made, made.driver("reference"):
        yield made


def standings(report: Report | None) -> list[str]:
    """The verdict of each behaviour, in order."""
    assert report is not None
    verdicts = {result.id: result.verdict for result in report.checks}
    return [behaviour.standing(verdicts).value for behaviour in kep5970.BEHAVIOURS]


def test_all_seven_are_seen_and_nothing_is_left(cluster: Somebody, tmp_path: Path) -> None:
    before = cluster.objects()
    status, said, report = cluster.checked(tmp_path / "report")
    assert (status, standings(report)) == (0, ["PASS"] * 7), said
    assert cluster.objects() == before
    assert "7 checks" in said
    assert report is not None
    assert {result.verdict for result in report.checks} == {Verdict.PASS}
