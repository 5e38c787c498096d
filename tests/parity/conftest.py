"""Whole runs on every kind of cluster, each made once for the tests of a session."""

import json
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from conformance.cli_run import command

Judged = dict[str, dict[str, Any]]  # rows of report.json by check
Run = Callable[[str, str], Judged]

_LIMIT = 1200.0  # seconds; on kind most of it is for a cluster, and waits of the kubelet


@pytest.fixture(scope="session")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The checks of a whole run of a driver on a kind of cluster."""

    @cache
    def run(driver: str, cluster: str) -> Judged:
        folder = tmp_path_factory.mktemp(f"{driver}-{cluster}")
        return _run(driver, cluster, folder)

    return run


def _run(driver: str, cluster: str, folder: Path) -> Judged:
    report = folder / "report"
    argv = command([f"--driver={driver}", f"--cluster={cluster}", f"--report-dir={report}", "-p", "no:cacheprovider"])
    done = subprocess.run(argv, cwd=folder, capture_output=True, text=True, check=False, timeout=_LIMIT)
    output = done.stdout[-4000:] + done.stderr[-2000:]
    assert (report / "report.json").exists(), f"no report (status {done.returncode}):\n{output}"
    found = json.loads((report / "report.json").read_text(encoding="utf-8"))
    assert found["outcome"] not in ("interrupted", "error"), output
    assert found["cluster"]["kind"] == cluster
    return {check["id"]: check for check in found["checks"]}
