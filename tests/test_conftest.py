"""What holds for all tests."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import OVER, UNTIL

A_TEST = "tests/test_at_once.py"


@pytest.mark.parametrize(("left", "ends"), [(-1, "skipped"), (600, "passed")])
def test_no_test_begins_when_the_time_is_over(left: int, ends: str) -> None:
    env = {**os.environ, UNTIL: str(time.time() + left)}
    command = [sys.executable, "-m", "pytest", "-rs", "-p", "no:cacheprovider", A_TEST]
    root = Path(__file__).parents[1]
    done = subprocess.run(command, cwd=root, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert f" {ends} in " in done.stdout
    assert (OVER in done.stdout) == (ends == "skipped")
