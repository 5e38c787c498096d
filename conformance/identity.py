"""Which suite this is: its catalogue, its code, and the commit that it stands at."""

import hashlib
import subprocess
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent
_CODE = (".py", ".yaml")


@cache
def catalogue_digest() -> str:
    """SHA-256 of the catalogue of requirements."""
    return hashlib.sha256((_HERE / "requirements.yaml").read_bytes()).hexdigest()


@cache
def suite_digest() -> str:
    """SHA-256 of the suite's code, checks and catalogue; the same for a clone and for a package made of it."""
    digest = hashlib.sha256()
    for path in sorted(path for path in _HERE.rglob("*") if path.suffix in _CODE and "assets" not in path.parts):
        digest.update(f"{path.relative_to(_HERE)}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


@cache
def commit() -> str:
    """The commit of the clone that the suite runs from, ending in `-dirty` where files were changed; "" elsewhere."""
    # A package that is installed inside of somebody's clone is none of its files.
    if _git("ls-files", "--error-unmatch", "__init__.py") == "":
        return ""
    return _git("describe", "--always", "--dirty", "--abbrev=40", "--exclude=*")


def _git(*arguments: str) -> str:
    try:
        done = subprocess.run(
            ["git", "-C", str(_HERE), *arguments], capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
