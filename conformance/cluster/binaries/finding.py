"""Finding the control plane's programs: in a folder that is given, KUBEBUILDER_ASSETS, PATH, or the cache."""

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from conformance.cluster.binaries.building import PROGRAMS, build, cached
from conformance.cluster.binaries.version import DEFAULT_VERSION, BinariesError, fits, oldest, version_of
from conformance.target import TargetError
from conformance.target.gomodule import Say, go_is_there


@dataclass(frozen=True)
class Wanted:
    """What the command line asks for. `version` "" means any that the suite can use, and DEFAULT_VERSION to build."""

    folder: Path | None = None
    version: str = ""


@dataclass(frozen=True)
class Binaries:
    """Where each program is, by its name; `origin` says in words where they were found."""

    programs: Mapping[str, Path]
    version: str
    origin: str


def provide(wanted: Wanted, say: Say) -> Binaries:
    """The programs, built if they are nowhere; `say` is told what goes on. Raises BinariesError."""
    found = find(wanted, say)
    if found:
        return found
    version = wanted.version or DEFAULT_VERSION
    if not go_is_there():
        raise BinariesError(
            f"the programs {', '.join(PROGRAMS)} of Kubernetes {version} are neither in KUBEBUILDER_ASSETS nor on PATH "
            "and there is no Go to build them with; give --kubernetes-binaries=FOLDER with all four, or install Go "
            "(https://go.dev/doc/install)"
        )
    try:
        build(version, say)
    except TargetError as error:
        raise BinariesError(f"Kubernetes {version} cannot be built: {error}") from None
    return _from_cache(version)


def find(wanted: Wanted, say: Say) -> Binaries | None:
    """The programs as they are on this machine, None when they would have to be built. Raises BinariesError."""
    if wanted.folder:
        return _from_folder(wanted.folder, wanted.version)
    for origin, folder in _places():
        programs = _programs(folder)
        lacking = sorted(set(PROGRAMS) - set(programs))
        if lacking:
            if len(lacking) < len(PROGRAMS):
                say(f"{origin} has {', '.join(programs)}, but lacks {', '.join(lacking)}: not used")
            continue
        version = version_of(programs["kube-apiserver"])
        if fits(version, wanted.version):
            return Binaries(programs, version, origin)
        say(f"{origin} has Kubernetes {version}, not {wanted.version or oldest()}: not used")
    version = wanted.version or DEFAULT_VERSION
    return _from_cache(version) if not set(PROGRAMS) - set(_programs(str(cached(version)))) else None


def _places() -> Iterator[tuple[str, str]]:
    assets = os.environ.get("KUBEBUILDER_ASSETS")
    if assets:
        yield f"KUBEBUILDER_ASSETS={assets}", assets
    yield "PATH", os.environ.get("PATH", os.defpath)


def _from_cache(version: str) -> Binaries:
    folder = cached(version)
    return Binaries(_programs(str(folder)), version, str(folder))


def _from_folder(folder: Path, version: str) -> Binaries:
    programs = _programs(str(folder))
    lacking = [name for name in PROGRAMS if name not in programs]
    if lacking:
        raise BinariesError(
            f"--kubernetes-binaries={folder} has no {' and no '.join(lacking)}; "
            f"give a folder with the programs {_listed(PROGRAMS)}"
        )
    found = version_of(programs["kube-apiserver"])
    if not fits(found, version):
        raise BinariesError(
            f"--kubernetes-binaries={folder} has Kubernetes {found}, but {version or oldest()} is needed; "
            "give another folder or another --kubernetes-version"
        )
    return Binaries(programs, found, str(folder))


def _programs(path: str) -> dict[str, Path]:
    """Programs on a search path, in the order of PROGRAMS."""
    found = {name: shutil.which(name, path=path) for name in PROGRAMS}
    return {name: Path(where).absolute() for name, where in found.items() if where}


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"
