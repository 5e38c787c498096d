"""Which version of Kubernetes a program is of, and which ones the suite can use."""

import re
import subprocess
from pathlib import Path

DEFAULT_VERSION = "1.37.2"
OLDEST = (1, 34)
"""The first minor version that serves resource.k8s.io/v1."""

_VERSION_SECONDS = 30


class BinariesError(Exception):
    """The programs cannot be had; the text is one sentence for the user. A usage error: status 4."""


def version_of(apiserver: Path) -> str:
    """What the API server says its version is, such as 1.37.2. Raises BinariesError."""
    try:
        done = subprocess.run(
            [apiserver, "--version"], capture_output=True, text=True, check=False, timeout=_VERSION_SECONDS
        )
        said = done.stdout + done.stderr
    except (OSError, subprocess.TimeoutExpired) as error:
        said = str(error)
    match = re.search(r"Kubernetes v(\d+\.\d+\.\S+)", said)
    if match is None:
        raise BinariesError(
            f"{apiserver} does not say its version ({' '.join(said.split())[:200] or 'nothing at all'}); "
            "it must be kube-apiserver for this machine"
        )
    return match[1]


def fits(version: str, wanted: str) -> bool:
    """Whether a version is the one that is asked for, or with "" one that the suite can use."""
    major, minor = (int(part) for part in version.split(".")[:2])
    return version == wanted if wanted else (major, minor) >= OLDEST


def oldest() -> str:
    """Versions that the suite can use, in words."""
    return f"{'.'.join(map(str, OLDEST))} or newer"
