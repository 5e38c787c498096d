"""Output that cannot be written is no fault of the driver."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("redirection", "status"), [(">&-", 0), (">&- 2>&- <&-", 0), (">/dev/full", 3), (">/dev/full 2>&1", 3), ("| :", 3)]
)
def test_output_that_goes_nowhere(redirection: str, status: int, tmp_path: Path) -> None:
    run = [sys.executable, "-m", "conformance.cli", "run", "--driver=reference", "--collect-only"]
    script = f'"$@" {redirection}; exit "${{PIPESTATUS[0]}}"'
    done = subprocess.run(["bash", "-c", script, "bash", *run], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == status, done.stderr
