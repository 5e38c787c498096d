"""Files of the top-level folder `kind`: cluster configuration, node image recipe, sources of images."""

from pathlib import Path

import conformance

_PACKAGE = Path(conformance.__file__).parent


def asset(name: str) -> Path:
    """Where a file of that folder is: inside the package when it was installed, else beside it."""
    installed = _PACKAGE / "assets" / "kind" / name
    return installed if installed.exists() else _PACKAGE.parent / "kind" / name
