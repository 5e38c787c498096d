"""What must not be published: secrets, and the home folders of people, whose names are in them."""

import re
from typing import Any

from conformance.redact import redact, redact_text

# What tokens of common services begin with, as their documents say; `redact` knows them by the names they are under.
_TOKENS = re.compile(
    r"\bgh[pousr]_\w{36}|\bgithub_pat_\w{22}|\bglpat-[\w-]{20}|\bA[KS]IA[A-Z0-9]{16}\b|\bxox[abeprs]-[\w-]{10}"
    r"|\bAIza[\w-]{35}|\bnpm_\w{36}|\bpypi-AgE\w{20}|\bdckr_pat_[\w-]{20}|\bhf_[A-Za-z]{34}"
)
_HOME = re.compile(r"(?:(?<=/home/)|(?<=/Users/)|(?<=:\\Users\\))[^/\\\s\"':;,=)\]}]+")
# Accounts of machines, and what `masked` makes of a name.
_NOBODY = re.compile(
    r"x+|runner|root|nonroot|user|ubuntu|debian|kubernetes|vscode|vsts|circleci|gitlab-runner|jenkins|ci|build"
)
LONGEST = 40_000
"""Characters of a text: twice what the suite writes of one."""
SECRET, HOME = "what looks like a secret", "the path of somebody's home folder"


def private(value: Any) -> str:
    """What a JSON value holds that must not be published, and where: `a secret at argv[2]`; "" for nothing."""
    hidden = redact(value)
    if hidden != value:
        return f"{SECRET} at {_difference(value, hidden)}"
    return _first(value, "")


def private_text(text: str) -> str:
    """The same for a text."""
    if redact_text(text) != text or _TOKENS.search(text):
        return SECRET
    return HOME if any(not _NOBODY.fullmatch(name) for name in _HOME.findall(text)) else ""


def longest(value: Any) -> int:
    """How many characters the longest text of a JSON value has."""
    if isinstance(value, str):
        return len(value)
    parts = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else ()
    return max(map(longest, parts), default=0)


def masked(value: Any) -> Any:
    """A copy of a JSON value in which home folders have as many x as their names had letters."""
    if isinstance(value, dict):
        return {masked(key): masked(item) for key, item in value.items()}
    if isinstance(value, list):
        return [masked(item) for item in value]
    if not isinstance(value, str):
        return value
    return _HOME.sub(lambda name: name[0] if _NOBODY.fullmatch(name[0]) else "x" * len(name[0]), value)


def _first(value: Any, where: str) -> str:
    """The first text, key or value, that must not be published."""
    if isinstance(value, str):
        what = private_text(value) if _is_suspect(value) else ""
        return f"{what} at {where or 'its only value'}" if what else ""
    items: Any = ()
    if isinstance(value, dict):
        items = [(f"{where}.{key}".lstrip("."), part) for key, item in value.items() for part in (key, item)]
    elif isinstance(value, list):
        items = [(f"{where}[{n}]", item) for n, item in enumerate(value)]
    return next((said for place, item in items if (said := _first(item, place))), "")


def _is_suspect(text: str) -> bool:
    return bool(_TOKENS.search(text) or _HOME.search(text))


def _difference(value: Any, hidden: Any, where: str = "") -> str:
    """Where two values of one shape begin to differ."""
    if isinstance(value, dict):
        pairs: Any = [(f"{where}.{key}".lstrip("."), item, hidden[key]) for key, item in value.items()]
    elif isinstance(value, list):
        pairs = [(f"{where}[{n}]", item, hidden[n]) for n, item in enumerate(value)]
    else:
        return where
    if not isinstance(hidden, type(value)):
        return where
    return next(_difference(a, b, place) for place, a, b in pairs if a != b)
