"""The seal of a report: what a reader needs to see that nothing is missing and nothing was changed by hand.

It is no signature: who makes a new history and a new report can seal them, too.
"""

import hashlib
import json
from pathlib import Path
from typing import Any


def canonical(value: Any) -> bytes:
    """A JSON value in the one form that is hashed: keys sorted, no spaces, UTF-8."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")


def report_digest(value: dict[str, Any]) -> str:
    """SHA-256 of what a report.json holds, its footer left out."""
    return hashlib.sha256(canonical({key: item for key, item in value.items() if key != "footer"})).hexdigest()


def file_digest(file: Path) -> str:
    """SHA-256 of a file, "" where there is none."""
    try:
        with file.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except FileNotFoundError:
        return ""
