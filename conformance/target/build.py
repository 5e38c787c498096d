"""Building a Go program from its module, once, and keeping it in the user's cache folder."""

import fcntl
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from conformance.target.model import BuildSection
from conformance.target.problems import TargetError

Say = Callable[[str], object]

_PROGRESS_SECONDS = 15.0


def cache_dir() -> Path:
    """Folder for what the suite builds: $XDG_CACHE_HOME/dra-conformance, by default ~/.cache/dra-conformance."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "dra-conformance"


def binary(section: BuildSection) -> Path:
    """Where the built program is, or will be."""
    folder = f"{section.package.replace('/', '_')}-{section.version}"
    return cache_dir() / folder / section.package.rpartition("/")[2]


def static_values(section: BuildSection | None) -> dict[str, str]:
    """Values of the placeholders {python}, {cache} and, with a section `build`, {binary}."""
    values = {"python": sys.executable, "cache": str(cache_dir())}
    return {**values, "binary": str(binary(section))} if section else values


def check(section: BuildSection, where: object) -> None:
    """Raises TargetError when the program was not built yet and there is no Go to build it with."""
    if not binary(section).is_file() and shutil.which("go") is None:
        raise TargetError(
            f"{where}: build: Go is not on PATH, but {section.package} {section.version} has to be built once; "
            "install Go (https://go.dev/doc/install) or choose another driver"
        )


def build(section: BuildSection, say: Say) -> Path:
    """Build the program if it is not there yet; two runs at once build it once. Raises TargetError."""
    target = binary(section)
    if target.is_file():
        return target
    check(section, "the driver file")
    with _locked(target.parent, say):
        if not target.is_file():
            _build(section, target, say)
    return target


@contextmanager
def _locked(folder: Path, say: Say) -> Iterator[None]:
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(f".{folder.name}.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"another run is building {folder.name}; waiting for it")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _build(section: BuildSection, target: Path, say: Say) -> None:
    prefix = f".{target.parent.name}.build-"
    for stale in cache_dir().glob(f"{prefix}*"):  # of runs that were killed: only who holds the lock builds
        shutil.rmtree(stale, ignore_errors=True)
    started = time.monotonic()
    say(f"building {section.package} {section.version} with Go; needed once, it takes some minutes")
    with tempfile.TemporaryDirectory(prefix=prefix, dir=cache_dir(), ignore_cleanup_errors=True) as folder:
        module, out = Path(folder, "module"), Path(folder, "out")
        module.mkdir()
        out.mkdir()
        (module / "go.mod").write_text(_go_mod(section, module, say), encoding="utf-8")
        _go(["mod", "tidy"], module, say)
        _go(["build", "-trimpath", "-ldflags=-s -w", "-o", str(out / target.name), section.package], module, say)
        shutil.rmtree(target.parent, ignore_errors=True)
        out.rename(target.parent)
    say(f"built {target} in {time.monotonic() - started:.0f} s")


def _go_mod(section: BuildSection, folder: Path, say: Say) -> str:
    """A module around the program's own, with the same Go version, debug settings and replacements."""
    name = f"{section.go_module}@{section.version}"
    downloaded = json.loads(_go(["mod", "download", "-json", name], folder, say))
    original = json.loads(_go(["mod", "edit", "-json", downloaded["GoMod"]], folder, say))
    lines = ["module wrapper", f"go {original['Go']}", f"require {section.go_module} {section.version}"]
    lines += [f"godebug {row['Key']}={row['Value']}" for row in original.get("Godebug") or ()]
    lines += [line for row in original.get("Replace") or () if (line := _replacement(row, section))]
    return "\n".join([*lines, f"tool {section.package}", ""])


def _replacement(row: dict[str, Any], section: BuildSection) -> str | None:
    """A replacement as a line of go.mod.

    Kubernetes replaces its staging modules by local folders, which a downloaded module lacks: they are published as
    v0.x for Kubernetes v1.x. Other local folders cannot be had.
    """
    old, new = row["Old"], row["New"]
    before = f"{old['Path']} {old.get('Version', '')}".strip()
    if new.get("Version"):
        return f"replace {before} => {new['Path']} {new['Version']}"
    if section.go_module == "k8s.io/kubernetes":
        return f"replace {before} => {old['Path']} v0.{section.version.removeprefix('v1.')}"
    return None


def _go(arguments: list[str], folder: Path, say: Say) -> str:
    """Run go in a folder and return what it printed. Raises TargetError with its last lines."""
    env = {**os.environ, "CGO_ENABLED": "0", "GOWORK": "off", "GOFLAGS": "-mod=mod"}
    started = time.monotonic()
    with subprocess.Popen(
        ["go", *arguments], cwd=folder, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        while True:
            try:
                out, err = process.communicate(timeout=_PROGRESS_SECONDS)
                break
            except subprocess.TimeoutExpired:
                say(f"go {' '.join(arguments[:2])}: {time.monotonic() - started:.0f} s so far")
            except BaseException:
                process.kill()
                raise
    if process.returncode != 0:
        last = " ".join("\n".join([out, err]).split())[-600:]
        raise TargetError(f"build: go {' '.join(arguments)} ended with status {process.returncode}: {last}")
    return out
