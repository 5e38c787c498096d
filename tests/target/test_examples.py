"""The driver files among the examples are good ones."""

from pathlib import Path

import pytest

from conformance.target import Target

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.yaml"))
DRIVERS = [path for path in EXAMPLES if path.read_text(encoding="utf-8").find("\ndrivers:") > 0]


@pytest.mark.parametrize("path", DRIVERS, ids=lambda path: path.stem)
def test_it_is_read(path: Path) -> None:
    assert Target.load(str(path), process=False).claim_spec()["devices"]["requests"]


def test_there_are_some() -> None:
    assert len(DRIVERS) >= 2
