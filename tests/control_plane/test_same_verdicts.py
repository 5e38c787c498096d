"""The reference driver is judged on a real control plane as it is on the embedded one."""

import json
import subprocess
from pathlib import Path
from typing import Any

from conformance.cli_run import command
from conformance.cluster.binaries import Binaries


def run(cluster: str, folder: Path, *arguments: str) -> dict[str, Any]:
    """The checks of a run by their ids, each with verdict and findings."""
    report = folder / cluster
    argv = command(["--driver=reference", f"--cluster={cluster}", f"--report-dir={report}", *arguments])
    done = subprocess.run([*argv, "-p", "no:cacheprovider"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    found = json.loads((report / "report.json").read_text(encoding="utf-8"))
    assert found["cluster"]["kind"] == cluster
    return {check["id"]: (check["verdict"], findings(check)) for check in found["checks"]}


def findings(check: dict[str, Any]) -> list[tuple[str, bool]]:
    return [(finding["requirement"], finding["holds"]) for finding in check["findings"]]


def test_the_same_driver_gets_the_same_verdicts(binaries: Binaries, tmp_path: Path) -> None:
    assert run("control-plane", tmp_path) == run("embedded", tmp_path)
