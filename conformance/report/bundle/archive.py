"""The archive: the same bytes for the same report, whoever makes it, and when."""

import gzip
import hashlib
import io
import os
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from conformance.history import HISTORY_FILE
from conformance.redact import redact_text
from conformance.report.bundle.product import product_yaml
from conformance.report.bundle.readme import readme
from conformance.report.bundle.runlog import run_log
from conformance.report.bundle.versions import versions_json
from conformance.report.model import Report
from conformance.report.store import JUNIT_FILE, PAGE_FILE, REPORT_FILE, file_of

SUMS = "SHA256SUMS"
_AS_THEY_ARE = (REPORT_FILE, HISTORY_FILE)
"""What `verify` holds against each other: a single other byte, and nothing could be relied on."""
_TO_FILL_IN = "PRODUCT.yaml"
_FOLDERS = ("evidence", "logs")


class BundleError(Exception):
    """No archive can be made; the text is one sentence that says why."""


def bundle(report: Report, path: Path, output: Path) -> None:
    """Write the archive of the report in `path`, which is sound, to `output`. Raises BundleError."""
    folder = file_of(path).parent
    try:
        files = dict(_of_the_run(folder))
        data = _archive(root_of(report), {**files, **_made(report, folder, sorted(files))}, int(report.started))
        _write(output, data)
    except OSError as error:
        raise BundleError(f"{error.filename or output}: {error.strerror}, so no bundle is made") from None


def root_of(report: Report) -> str:
    """Name of the folder that the archive unpacks to: what was judged, where, and how it ended."""
    words = ("dra-conformance", report.driver.name, report.cluster.get("kubernetes", ""), report.outcome.value)
    return "-".join(_safe(str(word)) for word in words if word)


def _safe(word: str) -> str:
    return "".join(c if c.isascii() and (c.isalnum() or c in "._") else "-" for c in word)


def _of_the_run(folder: Path) -> Iterator[tuple[str, bytes]]:
    """What the run itself has left: nothing else that lies in its folder, and nothing that a link leads to."""
    for name in _AS_THEY_ARE:
        yield name, (folder / name).read_bytes()
    for name in (JUNIT_FILE, PAGE_FILE):
        if (folder / name).is_file() and not (folder / name).is_symlink():
            yield name, _redacted(folder / name)
    for top in _FOLDERS:
        for place, _, names in os.walk(folder / top):
            for path in (Path(place, name) for name in names):
                if path.is_file() and not path.is_symlink():
                    yield path.relative_to(folder).as_posix(), _redacted(path)


def _redacted(path: Path) -> bytes:
    """A file once more without secrets: it may have been changed since the run."""
    return redact_text(path.read_bytes().decode(errors="backslashreplace")).encode()


def _made(report: Report, folder: Path, files: list[str]) -> Mapping[str, bytes]:
    texts = {
        "README.md": readme(report, root_of(report), files),
        _TO_FILL_IN: product_yaml(report),
        "versions.json": versions_json(report),
        "run.log": run_log(report, folder / HISTORY_FILE),
    }
    return {name: redact_text(text).encode() for name, text in texts.items()}


def _archive(root: str, files: Mapping[str, bytes], moment: int) -> bytes:
    fixed = sorted((name, data) for name, data in files.items() if name != _TO_FILL_IN)
    sums = "".join(f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in fixed)
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name, data in sorted({**files, SUMS: sums.encode()}.items()):
            row = tarfile.TarInfo(f"{root}/{name}")
            row.size, row.mode, row.mtime = len(data), 0o644, moment
            tar.addfile(row, io.BytesIO(data))
    return gzip.compress(packed.getvalue(), mtime=0)


def _write(output: Path, data: bytes) -> None:
    """All of it, or nothing: half an archive would be taken for one."""
    output.parent.mkdir(parents=True, exist_ok=True)
    number, draft = tempfile.mkstemp(dir=output.parent, prefix=f".{output.name}")
    try:
        with os.fdopen(number, "wb") as file:
            file.write(data)
        Path(draft).chmod(0o644)
        Path(draft).replace(output)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
