"""Builds the fake libnvidia-ml.so.1, once: python -m fakegpu.nvml.build prints the folder to put on LD_LIBRARY_PATH."""

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(__file__).with_name("source")
NAME = "libnvidia-ml.so.1"
WARNINGS = ("-Wall", "-Wextra", "-Wshadow", "-Werror")
_FLAGS = ("-std=gnu11", "-O2", "-g", "-fPIC", "-fvisibility=hidden", "-pthread", "-shared", f"-Wl,-soname,{NAME}")
_TIMEOUT = 120  # seconds


class BuildError(Exception):
    """The library cannot be built; the text says why and what to do."""


def library() -> Path:
    """The library; it is built if it is not there yet, or not of these sources. Raises BuildError."""
    compiler = find_compiler()
    built = _folder(compiler) / NAME
    if not built.is_file():
        _build(compiler, built)
    return built


def find_compiler() -> list[str]:
    """The command of a C compiler: $CC, or cc, gcc or clang on PATH. Raises BuildError."""
    if asked := shlex.split(os.environ.get("CC", "")):
        if not shutil.which(asked[0]):
            raise BuildError(f"CC is {asked[0]!r}, which is no command on PATH; correct it, or leave it out")
        return asked
    for name in ("cc", "gcc", "clang"):
        if found := shutil.which(name):
            return [found]
    raise BuildError(
        "there is no C compiler (cc, gcc or clang) on PATH; on Debian and Ubuntu: apt install gcc libc6-dev"
    )


def sources() -> list[Path]:
    """The C files. Raises BuildError."""
    found = sorted(SOURCE.glob("*.c"))
    if not found:
        raise BuildError(f"{SOURCE} holds no sources: they are in a clone of the repository, not in its wheel")
    return found


def _folder(compiler: list[str]) -> Path:
    total = hashlib.sha256(" ".join((*compiler, *WARNINGS, *_FLAGS)).encode())
    for path in (*sources(), *sorted(SOURCE.glob("*.h"))):
        total.update(path.name.encode() + path.read_bytes())
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "fakegpu" / f"nvml-{total.hexdigest()[:16]}"


def _build(compiler: list[str], to: Path) -> None:
    """Two at once build it twice; the one that is later changes nothing."""
    try:
        to.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=to.parent) as scratch:
            made = Path(scratch) / NAME
            command = [*compiler, *WARNINGS, *_FLAGS, "-o", str(made), *map(str, sources())]
            done = subprocess.run(command, capture_output=True, text=True, timeout=_TIMEOUT, check=False)
            if done.returncode:
                raise BuildError(f"{compiler[0]} cannot build {NAME}: {done.stderr.strip()[-2000:]}")
            os.replace(made, to)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BuildError(f"{NAME} cannot be built into {to.parent}: {error}") from error


def main() -> int:
    """Exit status 1 when it cannot be built, with the reason on standard error."""
    try:
        sys.stdout.write(f"{library().parent}\n")
    except BuildError as error:
        sys.stderr.write(f"fakegpu: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
