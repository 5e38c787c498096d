"""Whole runs on every kind of cluster, each made once for the tests of a session."""

import json
import subprocess
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import pytest

from conformance.cli_run import command
from tests.whole_runs import keep

Judged = dict[str, dict[str, Any]]  # rows of report.json by check


class Run(Protocol):
    """The checks of a whole run of a driver on a kind of cluster, with options."""

    def __call__(self, driver: str, cluster: str, *options: str) -> Judged:
        """Run it, or remember the run that was."""
        ...


_LIMIT = 1200.0  # seconds; on kind most of it is for a cluster, and waits of the kubelet


@pytest.fixture(scope="session")
def judged(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Run:
    """Whole runs; those on kind use one cluster."""

    @cache
    def run(driver: str, cluster: str, *options: str) -> Judged:
        folder = tmp_path_factory.mktemp(f"{driver}-{cluster}")
        kept = [str(request.getfixturevalue("kept"))] if cluster == "kind" else []
        found = _run(driver, cluster, folder, *kept, *options)
        if not options:
            keep(folder / "report")
        return found

    return run


def _run(driver: str, cluster: str, folder: Path, *options: str) -> Judged:
    report = folder / "report"
    asked = [f"--driver={driver}", f"--cluster={cluster}", f"--report-dir={report}", *options]
    argv = command([*asked, "-p", "no:cacheprovider"])
    done = subprocess.run(argv, cwd=folder, capture_output=True, text=True, check=False, timeout=_LIMIT)
    output = done.stdout[-4000:] + done.stderr[-2000:]
    assert (report / "report.json").exists(), f"no report (status {done.returncode}):\n{output}"
    found = json.loads((report / "report.json").read_text(encoding="utf-8"))
    assert found["outcome"] not in ("interrupted", "error"), output
    assert found["cluster"]["kind"] == cluster
    return {check["id"]: check for check in found["checks"]}
