"""`make` sets up .venv once, says what is missing, and leaves it alone when it is up to date.

Python is played by a script that notes what it is asked for: no packages are installed here.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.repository.sources import ROOT

PYTHON = """#!/bin/sh
case "$*" in
    *ensurepip*) exit ${WITHOUT_VENV:-0} ;;
    "-m venv"*) echo venv >> asked; mkdir -p .venv/bin; cp "$0" .venv/bin/python ;;
    "-m pip"*) echo pip >> asked; while [ -e gate ]; do sleep 0.01; done ;;
esac
exit 0
"""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """What `make` needs of a clone, and a stand-in for Python."""
    for name in ("Makefile", "pyproject.toml", "requirements.lock"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "python").write_text(PYTHON, encoding="utf-8")
    (tmp_path / "python").chmod(0o755)
    return tmp_path


def make(clone: Path, *arguments: str, **env: str) -> subprocess.Popen[str]:
    """Start make; the caller waits for it."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    command = ["make", "ready", f"PYTHON={clone / 'python'}", *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=clone, env={**clean, **env}, text=True, stdout=pipe, stderr=pipe)


def asked(clone: Path) -> list[str]:
    return (clone / "asked").read_text(encoding="utf-8").split()


def test_it_is_set_up_once(clone: Path) -> None:
    for _ in range(2):
        out, err = make(clone).communicate(timeout=20)
    assert asked(clone) == ["venv", "pip", "pip"]
    assert out + err == ""


def test_another_lock_file_is_installed_into_what_is_there(clone: Path) -> None:
    make(clone).communicate(timeout=20)
    later = (clone / ".venv/.ready").stat().st_mtime + 10
    os.utime(clone / "requirements.lock", (later, later))
    make(clone).communicate(timeout=20)
    assert asked(clone) == ["venv", "pip", "pip", "pip", "pip"]


def test_two_at_once_set_it_up_once(clone: Path) -> None:
    (clone / "gate").touch()
    first, second = make(clone), make(clone)
    (clone / "gate").unlink()  # until now the one that came first was held up at pip
    first.communicate(timeout=20)
    second.communicate(timeout=20)
    assert (first.returncode, second.returncode) == (0, 0)
    assert asked(clone) == ["venv", "pip", "pip"]


def test_python_that_cannot_make_environments_is_explained(clone: Path) -> None:
    process = make(clone, WITHOUT_VENV="1")
    _, err = process.communicate(timeout=20)
    assert process.returncode == 2
    assert "apt install python3-venv" in err
    assert not (clone / ".venv").exists()


def test_no_python_is_explained(clone: Path) -> None:
    process = make(clone, "PYTHON=")
    _, err = process.communicate(timeout=20)
    assert process.returncode == 2
    assert "No Python 3.11 or newer" in err
