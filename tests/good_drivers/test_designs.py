"""No right driver is blamed, and none goes without being judged where it offers something to judge.

Some of them are run in `make test`, all in `make kills`.
"""

from pathlib import Path

import pytest

from tests import variants
from tests.good_drivers.design import Design, all_designs


@pytest.mark.parametrize("design", variants.sampled(all_designs(), 5), ids=lambda design: design.name)
def test_is_not_blamed(design: Design, tmp_path: Path) -> None:
    file = design.write_driver_file(tmp_path)
    judged = variants.judge(file, tmp_path / "report")
    assert design.complaints(file, judged) == [], design.module.__doc__
