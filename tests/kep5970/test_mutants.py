"""Each of the seven behaviours finds a driver that only it finds: one of them in `make test`, all with DRA_ALL=1."""

import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from conformance import kep5970
from conformance.verdict import Verdict
from tests.kep5970.somebody import Somebody
from tests.mutants.mutant import all_mutants
from tests.variants import sampled, write_driver_file

BAD = (Verdict.FAIL, Verdict.WARN, Verdict.INCONCLUSIVE)
OWN = "tests.kep5970.drivers"


@dataclass(frozen=True)
class Wrong:
    """A driver that breaks one behaviour, by its number."""

    behaviour: int
    module: str

    @property
    def name(self) -> str:
        return self.module.rpartition(".")[2]

    def write_driver_file(self, folder: Path) -> Path:
        known = next((mutant for mutant in all_mutants() if mutant.module == self.module), None)
        return known.write_driver_file(folder) if known else write_driver_file(folder, self.module, {})


WRONG = [
    Wrong(1, "tests.mutants.b002_no_registration_service"),
    Wrong(2, "tests.mutants.m13_wrong_slice_count"),
    Wrong(3, f"{OWN}.needs_more_counters"),
    Wrong(4, "tests.mutants.s04_never_prepares"),
    Wrong(5, "tests.mutants.m30_device_missing_in_spec"),
    Wrong(6, f"{OWN}.never_unprepares"),
    Wrong(7, "tests.mutants.b064_device_stays_taken"),
]


def test_there_is_one_for_each_behaviour() -> None:
    assert [wrong.behaviour for wrong in WRONG] == [behaviour.number for behaviour in kep5970.BEHAVIOURS]


QUICK = [wrong for wrong in WRONG if wrong.behaviour in (4, 5, 7)]
"""Those for which nothing is waited for in vain."""


@pytest.mark.parametrize(
    "wrong", WRONG if os.environ.get("DRA_ALL") == "1" else sampled(QUICK, 1), ids=lambda wrong: wrong.name
)
def test_only_its_behaviour_finds_it(cluster: Somebody, wrong: Wrong, tmp_path: Path) -> None:
    with cluster.driver(wrong.write_driver_file(tmp_path)):
        status, said, report = cluster.checked(tmp_path / "report")
    assert report is not None, said
    verdicts = {result.id: result.verdict for result in report.checks}
    found = {behaviour.number: behaviour.standing(verdicts) for behaviour in kep5970.BEHAVIOURS}
    assert {number for number, verdict in found.items() if verdict in BAD} == {wrong.behaviour}, said
    assert (status, found[wrong.behaviour]) == (1, Verdict.FAIL), said
