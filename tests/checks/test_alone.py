"""A check that is run alone, as the command that reproduces its verdict does, says what it says in a whole run."""

from importlib import import_module
from pathlib import Path

import pytest

from conformance.check import header_of
from conformance.session.options import ON_DEMAND
from conformance.verdict import Verdict
from tests.variants import REFERENCE, ROOT, run

NOT_OFFERED = ("publishing.dropped_fields", "publishing.generation")
"""What these are about the reference driver has not got: optional fields, pools of several slices."""
AREAS = ("registration", "publishing")  # their checks may begin before the driver is ready


def ids() -> list[str]:
    """Ids of the checks of these areas that every run has, by area and name of the file."""
    found = []
    for area in AREAS:
        for path in sorted((ROOT / "conformance" / "checks" / area).glob("test_*.py")):
            module = import_module(f"conformance.checks.{area}.{path.stem}")
            headers = [header for value in vars(module).values() if (header := header_of(value))]
            found += [header.id for header in headers if header.profile not in ON_DEMAND]
    return found


@pytest.mark.parametrize("id", ids())
def test_the_reference_driver_passes_each_alone(id: str, tmp_path: Path) -> None:
    expected = Verdict.NOT_APPLICABLE if id in NOT_OFFERED else Verdict.PASS
    assert run(REFERENCE, tmp_path / "report", f"--check={id}") == {id: expected}
