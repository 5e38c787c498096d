"""No right driver is blamed, and none goes without being judged where it offers something to judge."""

from pathlib import Path
from types import ModuleType

import pytest

from conformance.verdict import Verdict
from tests import variants


@pytest.mark.parametrize("design", variants.modules("tests.good_drivers"), ids=lambda m: m.__name__.rpartition(".")[2])
def test_is_not_blamed(design: ModuleType, tmp_path: Path) -> None:
    file = variants.write_driver_file(tmp_path, design.__name__, getattr(design, "EXTRA", {}))
    verdicts = variants.run(file, tmp_path / "report")
    expected = dict.fromkeys(verdicts, Verdict.PASS)
    expected |= dict.fromkeys(getattr(design, "NOT_APPLICABLE", ()), Verdict.NOT_APPLICABLE)
    expected |= dict.fromkeys(getattr(design, "WARNED", ()), Verdict.WARN)
    assert verdicts == expected, design.__doc__
