"""The bench of drivers, with a few calls: it ends, says what it is to say and leaves nothing behind."""

import pytest

from tests.bench import driver
from tests.bench.driver.disk import folder_on_disk
from tests.bench.driver.size import Size

SMALL = Size(rounds=1, pairs={1: 3, 2: 4}, held=(0, 2), many=3, starts=1, steps=3, times=3, idle=0.1)


@pytest.mark.usefixtures("binaries", "go_driver_binary")
def test_it_measures_both_drivers(capsys: pytest.CaptureFixture[str]) -> None:
    before = set(folder_on_disk().glob("dc*"))
    figures = {figure.what for figure in driver.figures(SMALL)}
    assert {
        "start to registered, 8 devices published",
        "one at a time, 0 held: part of the test driver's rate",
        "2 at once, 2 held: part of the test driver's rate",
        "one at a time, 3 held: its median, in that at 0",
        "idle: written to disk",
    } <= figures
    *_, last = lines = capsys.readouterr().out.splitlines()
    assert last.startswith("ratios: one at a time ")
    told = {line.split()[0] for line in lines if line.startswith("  ")}
    assert {"API", "fsync", "gRPC,", "lock", "CDI", "metadata", "checkpoint"} <= told, "where the time goes"
    assert set(folder_on_disk().glob("dc*")) <= before
