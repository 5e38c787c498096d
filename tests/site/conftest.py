"""The site, built once for all workers."""

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository.sources import ROOT


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site, as `make site` makes it: a broken link or a missing anchor ends the tests."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "documents"
    folder.mkdir(exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "site").exists():
            build(folder / "draft")
            (folder / "draft").rename(folder / "site")
    return folder / "site"


def build(folder: Path) -> None:
    """Build it; what MkDocs complains of fails the test."""
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", f"--site-dir={folder}"]
    env = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout + done.stderr == ""
