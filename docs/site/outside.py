"""Files of the repository that pages link to and that are not in docs/: each becomes a page of the site."""

import posixpath
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = "source"
_CODE = r"^```.*?^```$|^(?: {4}|\t)[^\n]*$|`[^`\n]+`"
_LINK = re.compile(rf"{_CODE}|(?<=\]\()(?P<target>(?!\w+:|#)[^)#\s]+)(?P<anchor>#[^)\s]*)?(?=\))", re.M | re.S)
_MANY = 40  # files of a folder; of a larger one the names are enough
_HIDDEN = "---\nsearch:\n  exclude: true\n---\n\n"
_LANGUAGES = {".py": "python", ".yaml": "yaml", ".h": "c", ".json": "json", ".toml": "toml"}


def linked(page: str, text: str) -> Iterator[str]:
    """Paths, relative to the root, of what a page links to outside of docs/; `page` is its own path, as `docs/up.md`.

    Raises ValueError where there is no such file.
    """
    for match in _LINK.finditer(text):
        path = _meant(page, match["target"]) if match["target"] else "docs/"
        if path.startswith("docs/"):
            continue
        if not (ROOT / path).exists():
            raise ValueError(f"{page} links to {match['target']}, and there is no {path}")
        yield path


def redirected(page: str, text: str, here: str) -> str:
    """The text with links that lead where the site has these files.

    page: where the text comes from, as `docs/up.md`; here: the path of its page in the site.
    """

    def target(match: re.Match[str]) -> str:
        if not match["target"]:
            return match[0]
        path = _meant(page, match["target"])
        there = path.removeprefix("docs/") if path.startswith("docs/") else page_of(path)
        return posixpath.relpath(there, posixpath.dirname(here) or ".") + (match["anchor"] or "")

    return _LINK.sub(target, text)


def page_of(path: str) -> str:
    """Where the site has a file or a folder of the repository."""
    return f"{FOLDER}/{path}" if path.endswith(".md") else f"{FOLDER}/{path}.md"


def pages(paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    """(path in the site, text) of the pages for these files, and for what their own pages link to."""
    waiting, done = list(paths), set[str]()
    while waiting:
        path = waiting.pop()
        if path in done:
            continue
        done.add(path)
        text = _text(path)
        waiting += linked(path, text)
        yield page_of(path), redirected(path, text, page_of(path))


def _meant(page: str, target: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), target))


def _text(path: str) -> str:
    """A document as it is, a folder as a list of links, any other file as a block of code."""
    file = ROOT / path
    if file.is_dir():
        names = sorted(inner.name for inner in file.iterdir() if inner.name != "__pycache__")
        linked_names = (
            f"[{name}]({posixpath.basename(path)}/{name})" if len(names) <= _MANY else name for name in names
        )
        rows = "\n".join(f"- {name}" for name in linked_names)
        return f"{_HIDDEN}# {path}\n\n{rows}\n"
    text = file.read_text(encoding="utf-8").rstrip()
    if path.endswith(".md"):
        return text
    return f"{_HIDDEN}# {path}\n\n```{_LANGUAGES.get(file.suffix, 'text')}\n{text}\n```\n"
