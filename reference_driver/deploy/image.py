"""Makes the driver's container image out of the Python that runs this, without pulling anything.

usage: python -m reference_driver.deploy.image TAG [DRIVER.py]

With DRIVER.py, a driver of your own on the framework, it is the image of that one.

The interpreter, its standard library, the few packages that the driver needs and the shared libraries of all of these
go into one layer, each library at the path where it is here. Where a registry can be reached, the Dockerfile beside
this file makes the usual kind of image instead.
"""

import hashlib
import importlib.metadata
import io
import json
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

PACKAGES = (
    "grpcio",
    "hpack",
    "httptools",
    "protobuf",
    "urllib3",
    "PyYAML",
    "prometheus_client",
    "typing_extensions",
    "nvidia-ml-py",
)
_EXTRA = "nvidia-ml-py"
APP = "app"
_CODE = Path(__file__).parents[2]
_LABEL = "dra-conformance.content"
_UNUSED = {
    "test",
    "tests",
    "idlelib",
    "tkinter",
    "turtledemo",
    "ensurepip",
    "lib2to3",
    "pydoc_data",
    "distutils",
    "site-packages",
    "dist-packages",
    "__pycache__",
}
_LIBRARY = re.compile(r"(?:=>\s+)?(/\S+)\s+\(0x")

_UNUSED_MODULES = re.compile(
    r"_tkinter|_curses|_sqlite3|_dbm|_gdbm|_codecs_|_test|_ctypes_test|_xx|xx|nis|readline|ossaudio"
)

Entry = tuple[str, Path]
"""A path in the image, and the file that it is made of."""


def entries(program: Path | None = None) -> list[Entry]:
    """What goes into the image, sorted by its path there, but for the libraries that this needs.

    program: a driver in the place of the GPU driver.
    """
    own = [(f"{APP}/{program.name}", program)] if program else []
    return sorted(dict([*_interpreter(), *_packages(), *_code(), *own]).items())


def _interpreter() -> Iterator[Entry]:
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    yield f"usr/local/bin/{version}", Path(sys.executable).resolve()
    base = f"usr/local/{sys.platlibdir}/{version}"
    for kind in ("stdlib", "platstdlib"):
        folder = Path(sysconfig.get_path(kind, vars={"base": sys.base_prefix, "platbase": sys.base_exec_prefix}))
        yield from _tree(folder, base)


def _tree(folder: Path, base: str) -> Iterator[Entry]:
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        useless = _UNUSED & set(parts) or parts[0].startswith("config-") or path.suffix == ".a"
        if path.is_file() and not useless and not (parts[0] == "lib-dynload" and _UNUSED_MODULES.match(parts[-1])):
            yield f"{base}/{'/'.join(parts)}", path


def _packages() -> Iterator[Entry]:
    for name in PACKAGES:
        for file in _files_of(name):
            if ".." not in file.parts and file.suffix not in (".pyc", ".pyi") and not _UNUSED & set(file.parts):
                yield f"{APP}/{file.as_posix()}", Path(str(file.locate()))


def _files_of(package: str) -> Sequence[importlib.metadata.PackagePath]:
    """The files of a package; none of one that is an extra, and not installed."""
    try:
        return importlib.metadata.files(package) or ()
    except importlib.metadata.PackageNotFoundError:
        if package == _EXTRA:
            return ()
        raise


def _code() -> Iterator[Entry]:
    for package in ("reference_driver", "fakegpu"):
        for path in sorted((_CODE / package).rglob("*")):
            data = package == "fakegpu" and path.suffix == ".yaml"  # models of GPUs and fleets
            for_tests = path.is_relative_to(_CODE / "fakegpu" / "nvml")
            if (path.suffix == ".py" or data) and not for_tests:
                yield f"{APP}/{path.relative_to(_CODE).as_posix()}", path


def libraries(found: Sequence[Entry]) -> Iterator[Entry]:
    """The shared libraries that the interpreter and modules need, each at the path where it is here."""
    objects = [path for name, path in found if ".so" in name or name.startswith("usr/local/bin/")]
    done = subprocess.run(["ldd", *map(str, objects)], capture_output=True, text=True, check=False)
    for line in done.stdout.splitlines():
        match = _LIBRARY.search(line.strip())
        if match and not line.endswith(":"):
            path = Path(match[1])
            yield str(path).lstrip("/"), path


def digest(found: Sequence[Entry]) -> str:
    """A digest of the image's content; of large files that rarely change only name, size and time count."""
    total = hashlib.sha256()
    for name, path in found:
        status = path.stat()
        total.update(f"{name} {status.st_size} ".encode())
        own = name.startswith(f"{APP}/reference") or name.count("/") == 1
        total.update(path.read_bytes() if own else str(status.st_mtime_ns).encode())
    return total.hexdigest()[:16]


def archive(found: Sequence[Entry]) -> bytes:
    """The image's file system as a tar archive."""
    buffer = io.BytesIO()
    with (
        tarfile.open(fileobj=buffer, mode="w", dereference=True) as tar,
        tempfile.TemporaryDirectory() as scratch,
    ):
        _add_folder(tar, "tmp", 0o1777)
        _add_text(tar, "etc/passwd", "root:x:0:0:root:/:/sbin/nologin\nnobody:x:65534:65534:nobody:/:/sbin/nologin\n")
        for name, path in found:
            if ".so" in name:
                path = _stripped(path, Path(scratch))
            info = tar.gettarinfo(path, name)
            info.uid = info.gid = 0
            info.uname = info.gname = ""
            if info.isreg():
                with path.open("rb") as file:
                    tar.addfile(info, file)
        link = tarfile.TarInfo("usr/local/bin/python3")
        link.type, link.linkname = tarfile.SYMTYPE, f"python{sys.version_info.major}.{sys.version_info.minor}"
        tar.addfile(link)
    return buffer.getvalue()


def _stripped(path: Path, scratch: Path) -> Path:
    """A copy of a library without symbols for debuggers; the library itself where that cannot be made."""
    copy = scratch / "stripped"
    try:
        done = subprocess.run(["strip", "--strip-unneeded", "-o", copy, path], capture_output=True, check=False)
    except OSError:
        return path
    return copy if done.returncode == 0 else path


def _add_folder(tar: tarfile.TarFile, name: str, mode: int) -> None:
    info = tarfile.TarInfo(name)
    info.type, info.mode = tarfile.DIRTYPE, mode
    tar.addfile(info)


def _add_text(tar: tarfile.TarFile, name: str, text: str) -> None:
    info = tarfile.TarInfo(name)
    info.size, info.mode = len(text), 0o644
    tar.addfile(info, io.BytesIO(text.encode()))


def _present(tag: str, content: str) -> bool:
    template = f'{{{{ index .Config.Labels "{_LABEL}" }}}}'
    done = subprocess.run(
        ["docker", "image", "inspect", "--format", template, tag], capture_output=True, text=True, check=False
    )
    return done.returncode == 0 and done.stdout.strip() == content


def build(tag: str, program: Path | None = None) -> bool:
    """Make the image unless it is there with this very content; whether it was made.

    program: a driver in the place of the GPU driver. Raises CalledProcessError, OSError.
    """
    found = entries(program)
    content = digest(found)
    if _present(tag, content):
        return False
    changes = [
        "ENV PATH=/usr/local/bin",
        f"ENV PYTHONPATH=/{APP}",
        "ENV PYTHONDONTWRITEBYTECODE=1",
        f"ENTRYPOINT {json.dumps(['/usr/local/bin/python3', *_start(program)])}",
        f"LABEL {_LABEL}={content} dra-conformance=driver-image",
    ]
    everything = sorted({**dict(libraries(found)), **dict(found)}.items())
    options = [word for change in changes for word in ("--change", change)]
    subprocess.run(["docker", "import", *options, "-", tag], input=archive(everything), capture_output=True, check=True)
    return True


def _start(program: Path | None) -> list[str]:
    """What Python is given to start the driver."""
    return [f"/{APP}/{program.name}"] if program else ["-m", "reference_driver.gpu"]


def main() -> int:
    """The command; the exit status."""
    if len(sys.argv) not in (2, 3):
        sys.stderr.write((__doc__ or "") + "\n")
        return 2
    try:
        made = build(sys.argv[1], *map(Path, sys.argv[2:]))
    except (OSError, subprocess.CalledProcessError) as error:
        stderr = getattr(error, "stderr", b"") or b""
        sys.stderr.write(f"the image was not made: {stderr.decode(errors='replace').strip() or error}\n")
        return 1
    sys.stdout.write(f"{sys.argv[1]} {'made' if made else 'is there already'}{os.linesep}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
