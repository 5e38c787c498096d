"""Where a submission lies: submissions/<driver>/<version>/<kubernetes>-<cluster>-<profiles>-<day>/, and its files."""

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from conformance.history import HISTORY_FILE
from conformance.report.model import Report
from conformance.report.store import REPORT_FILE

SUBMISSIONS = "submissions"
PACKED_FILE = f"{HISTORY_FILE}.gz"
METADATA_FILE = "metadata.yaml"
LARGEST = {REPORT_FILE: 4 << 20, PACKED_FILE: 8 << 20, METADATA_FILE: 16 << 10}
"""The files of a submission, and how many bytes each may have."""

_LONGEST = 63  # characters of a part of a name; that of a driver has no more
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._+-]*[A-Za-z0-9+])?")


@dataclass(frozen=True, order=True)
class Place:
    """The folder of one submission, and the names that lead there."""

    folder: Path
    driver: str
    version: str
    run: str

    @property
    def name(self) -> str:
        """Its path in the index, as problems and pages name it."""
        return f"{SUBMISSIONS}/{self.path}"

    @property
    def path(self) -> str:
        """Its path below submissions/."""
        return f"{self.driver}/{self.version}/{self.run}"


def place_of(index: Path, report: Report, version: str) -> Place:
    """Where a report belongs; `version` is that of the driver, for reports that have none."""
    kubernetes, cluster = (str(report.cluster.get(key, "")) for key in ("kubernetes", "kind"))
    day = datetime.fromtimestamp(report.started, UTC).strftime("%Y-%m-%d")
    run = f"{named(kubernetes.removeprefix('v'))}-{named(cluster)}-{named(profiles(report, '-and-'))}-{day}"
    names = named(report.driver.name), named(report.driver.version or version), run
    return Place(index.joinpath(SUBMISSIONS, *names), *names)


def profiles(report: Report, joint: str) -> str:
    """The first profile, core where it was judged, and how many others."""
    names = sorted(report.profiles, key=lambda name: name != "core") or ["none"]
    return names[0] + (f"{joint}{len(names) - 1}" if len(names) > 1 else "")


def named(text: str) -> str:
    """The text as the name of a folder; `unknown` where there is nothing left of it."""
    kept = re.sub(r"[^A-Za-z0-9._+-]+", "-", text)[:_LONGEST].strip("-._")
    return kept if _NAME.fullmatch(kept) else "unknown"


def places(index: Path) -> tuple[list[Place], list[str]]:
    """The submissions of an index, and one sentence for each thing that has no place there; no link is followed."""
    problems: list[str] = []
    found = [
        Place(folder, driver.name, version.name, folder.name)
        for driver in _folders(index / SUBMISSIONS, SUBMISSIONS, problems)
        for version in _folders(driver, f"{SUBMISSIONS}/{driver.name}", problems)
        for folder in _folders(version, f"{SUBMISSIONS}/{driver.name}/{version.name}", problems)
    ]
    return found, problems


def misplaced(place: Place) -> Iterator[str]:
    """What is wrong with the files of a submission, before any of them is read."""
    seen = set()
    for entry in _listed(place.folder):
        seen.add(entry.name)
        where = f"{place.name}/{entry.name}"
        if entry.name not in LARGEST:
            yield f"{where}: has no place in a submission, which holds {', '.join(LARGEST)}; remove it"
        elif not stat.S_ISREG(entry.stat(follow_symlinks=False).st_mode):
            yield f"{where}: is {_kind(entry)}; put the file itself there"
        elif entry.stat(follow_symlinks=False).st_size > LARGEST[entry.name]:
            yield f"{where}: is larger than {LARGEST[entry.name] >> 10} KiB; submit a run that is shorter"
    for name in LARGEST:
        if name not in seen:
            yield f"{place.name}/{name}: is missing; `dra-conformance index add` makes all files of a submission"


def _folders(parent: Path, name: str, problems: list[str]) -> list[Path]:
    """The folders in one, by name; of two whose names differ in case only, the first."""
    if parent.is_symlink():
        problems.append(f"{name}: is a symbolic link; put the folder itself there")
        return []
    taken: dict[str, str] = {}
    for entry in _listed(parent):
        problem = _unfit(entry)
        if not problem and entry.name.casefold() in taken:
            other = taken[entry.name.casefold()]
            problem = f"differs from {other} in case only, and other systems take both for one; remove one of them"
        if problem:
            problems.append(f"{name}/{entry.name}: {problem}")
        else:
            taken[entry.name.casefold()] = entry.name
    return [parent / each for each in taken.values()]


def _unfit(entry: os.DirEntry[str]) -> str:
    """Why this is no folder of an index; "" when it is one."""
    if not entry.is_dir(follow_symlinks=False):
        return f"is {_kind(entry)} where only folders belong; remove it"
    if not _NAME.fullmatch(entry.name):
        return "is no name for a folder here: letters, digits and ._+- are; `dra-conformance index add` gives names"
    return ""


def _listed(folder: Path) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return sorted(entries, key=lambda entry: entry.name)


def _kind(entry: os.DirEntry[str]) -> str:
    if entry.is_symlink():
        return "a symbolic link"
    if entry.is_dir(follow_symlinks=False):
        return "a folder"
    return "a file" if entry.is_file(follow_symlinks=False) else "no regular file"
