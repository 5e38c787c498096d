"""Programs and files of others that tests want: fetched once, and kept beside what the suite builds."""

import fcntl
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from conformance.target.build import cache_dir

_PATIENCE = 900


class Missing(Exception):
    """It cannot be had here; the text says why."""


def npm(*packages: str) -> Path:
    """The folder node_modules with these packages in it, kept by the name of the last. Raises Missing."""
    program = shutil.which("npm")
    if program is None:
        raise Missing("npm is not on PATH; on Debian: apt install npm")
    quiet = ["--no-audit", "--no-fund", "--loglevel=error"]
    folder = kept(packages[-1], lambda into: run([program, "install", "--prefix", str(into), *quiet, *packages]))
    return folder / "node_modules"


def kept(name: str, fetch: Callable[[Path], None]) -> Path:
    """The folder of that name, which `fetch` fills when it is not there; all of it or nothing. Raises Missing."""
    folder = cache_dir() / "fetched" / name.replace("/", "_")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(f".{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # several workers may want it at once
        if not folder.exists():
            draft = folder.with_name(f"{folder.name}.new")
            shutil.rmtree(draft, ignore_errors=True)
            draft.mkdir(parents=True)
            fetch(draft)
            draft.rename(folder)
    return folder


def run(command: list[str], cwd: Path | None = None, env: dict[str, str] | None = None) -> None:
    """Run a command to its end. Raises Missing when it fails."""
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, timeout=_PATIENCE, check=False)
    if done.returncode:
        raise Missing(f"{' '.join(command[:4])} … failed: {done.stderr.strip()[-500:]}")
