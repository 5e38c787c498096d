"""Which Python, and which packages of others, the suite runs with: what is needed to run it again just so."""

import platform
import re
from functools import cache
from importlib.metadata import PackageNotFoundError, requires, version

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_DISTRIBUTION = "dra-conformance"


@cache
def versions() -> dict[str, str]:
    """Versions by name: `python`, then the packages that the suite asks for, as far as they are installed."""
    try:
        asked = requires(_DISTRIBUTION) or ()
    except PackageNotFoundError:  # run from a clone that was not installed
        asked = ()
    names = sorted({found[0].lower() for line in asked if (found := _NAME.match(line))})
    installed = {name: _version(name) for name in names}
    return {"python": platform.python_version(), **{name: known for name, known in installed.items() if known}}


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
