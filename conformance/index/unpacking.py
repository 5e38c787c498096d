"""A submission as a report's folder: its history unpacked, within bounds."""

import gzip
import shutil
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from conformance.history import HISTORY_FILE
from conformance.index.layout import PACKED_FILE, Place
from conformance.report.store import REPORT_FILE

LARGEST_HISTORY = 64 << 20
"""Bytes of a history, unpacked."""
_CHUNK = 1 << 20


class UnpackError(Exception):
    """A history cannot be unpacked; the text says why, and what to do."""


@contextmanager
def unpacked(place: Place) -> Iterator[Path]:
    """A folder with report.json and history.jsonl of a submission, gone afterwards. Raises UnpackError."""
    with tempfile.TemporaryDirectory(prefix="dra-index-") as name:
        folder = Path(name)
        shutil.copyfile(place.folder / REPORT_FILE, folder / REPORT_FILE)
        _unpack(place.folder / PACKED_FILE, folder / HISTORY_FILE)
        yield folder


def pack(history: Path, file: Path) -> None:
    """Pack a history; the same history gives the same bytes."""
    with (
        history.open("rb") as source,
        file.open("wb") as raw,
        gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as packed,
    ):
        shutil.copyfileobj(source, packed)


def _unpack(file: Path, to: Path) -> None:
    left = LARGEST_HISTORY
    try:
        with gzip.open(file) as source, to.open("wb") as target:
            while chunk := source.read(_CHUNK):
                left -= len(chunk)
                if left < 0:
                    raise UnpackError(f"holds more than {LARGEST_HISTORY >> 20} MiB; submit a run that is shorter")
                target.write(chunk)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise UnpackError(f"is cut, or not packed with gzip ({error}); pack the history of the run anew") from None
