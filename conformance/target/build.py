"""Building a Go program from its module, once, and keeping it in the user's cache folder."""

import fcntl
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from conformance.target.gomodule import GoModule, Say, build_module, go_is_there
from conformance.target.model import BuildSection
from conformance.target.problems import TargetError


def cache_dir() -> Path:
    """Folder for what the suite builds: $XDG_CACHE_HOME/dra-conformance, by default ~/.cache/dra-conformance."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "dra-conformance"


def binary(section: BuildSection) -> Path:
    """Where the built program is, or will be."""
    folder = f"{section.package.replace('/', '_')}-{section.version}"
    return cache_dir() / folder / section.package.rpartition("/")[2]


def static_values() -> dict[str, str]:
    """Values of the placeholders {python} and {cache}."""
    return {"python": sys.executable, "cache": str(cache_dir())}


def check(section: BuildSection, where: object) -> None:
    """Raises TargetError when the program was not built yet and there is no Go to build it with."""
    if not binary(section).is_file() and not go_is_there():
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
    with locked(target.parent, say):
        if not target.is_file():
            _build(section, target, say)
    return target


@contextmanager
def locked(folder: Path, say: Say) -> Iterator[None]:
    """Inside the block nobody else builds this folder. Raises TargetError when it cannot be made."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TargetError(
            f"the folder {folder.parent} for what is built once cannot be made ({error.strerror}); "
            "set XDG_CACHE_HOME to a folder that can be written"
        ) from None
    with folder.with_name(f".{folder.name}.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"another run is building {folder.name}; waiting for it")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _build(section: BuildSection, target: Path, say: Say) -> None:
    started = time.monotonic()
    say(f"building {section.package} {section.version} with Go; needed once, it takes some minutes")
    module = GoModule(section.go_module, section.version, [section.package], target.name)
    with built_folder(target.parent) as work:
        build_module(module, work / "module", work / "out", say)
    say(f"built {target} in {time.monotonic() - started:.0f} s")


@contextmanager
def built_folder(folder: Path) -> Iterator[Path]:
    """A scratch folder, for who holds the lock; what is in its folder `out` takes the place of `folder` at the end."""
    prefix = f".{folder.name}.build-"
    for stale in folder.parent.glob(f"{prefix}*"):  # of runs that were killed: only who holds the lock builds
        shutil.rmtree(stale, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=prefix, dir=folder.parent, ignore_cleanup_errors=True) as scratch:
        yield Path(scratch)
        shutil.rmtree(folder, ignore_errors=True)
        Path(scratch, "out").rename(folder)
