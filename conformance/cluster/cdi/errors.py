"""The one exception of this package, and what goes into its texts."""

from collections.abc import Iterable, Iterator
from typing import Any


class CdiError(Exception):
    """A spec is invalid or devices cannot be injected; the text is the one that containerd gives."""


def quoted(text: object) -> str:
    """A text in double quotes, escaped as Go's %q does for plain texts."""
    escaped = str(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'


def present(entries: Iterable[Any]) -> Iterator[Any]:
    """Entries of a list in a spec. Raises CdiError at one that is null, where the library crashes."""
    for entry in entries:
        if entry is None:
            raise CdiError("runtime error: invalid memory address or nil pointer dereference")
        yield entry
