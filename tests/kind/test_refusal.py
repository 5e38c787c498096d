"""A whole run where there can be no cluster: every check is INCONCLUSIVE, and the exit status is 6."""

import os
import subprocess
from pathlib import Path

from conformance.cli_run import command


def run(folder: Path, *options: str, **env: str) -> subprocess.CompletedProcess[str]:
    words = ["--driver=reference", "--cluster=kind", "--check=preparation.one_claim", "-p", "no:cacheprovider"]
    argv = command([*words, f"--report-dir={folder / 'report'}", *options])
    return subprocess.run(argv, cwd=folder, env={**os.environ, **env}, capture_output=True, text=True, check=False)


def test_without_an_engine_nothing_can_be_judged(tmp_path: Path) -> None:
    """On any machine: what is missing first is told, root, Docker's command, or an engine that answers."""
    ended = run(tmp_path, DOCKER_HOST=f"unix://{tmp_path}/none")
    assert ended.returncode == 6, ended.stdout + ended.stderr
    told = " ".join(ended.stdout.split())
    assert "INCONCLUSIVE preparation.one_claim" in told
    assert "the cluster did not come up: --cluster=kind needs " in told
