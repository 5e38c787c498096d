"""Damage to the files that a driver keeps its state in."""

import stat
from collections.abc import Callable, Mapping
from pathlib import Path

State = Mapping[Path, bytes]
"""Files and what is in them."""

DAMAGES: Mapping[str, Callable[[bytes], bytes]] = {
    "cut off in the middle": lambda content: content[: len(content) // 2],
    "empty": lambda _: b"",
    "overwritten with zeros": lambda content: bytes(len(content)),
}


def read(folder: Path) -> State:
    """All files below a folder that are not empty; sockets are none."""
    files = (path for path in sorted(folder.rglob("*")) if stat.S_ISREG(path.lstat().st_mode))
    found = {path: path.read_bytes() for path in files}
    return {path: content for path, content in found.items() if content}


def damage(state: State, how: Callable[[bytes], bytes]) -> None:
    """Write each file anew with something else in it."""
    for path, content in state.items():
        path.write_bytes(how(content))


def put_back(folder: Path, state: State) -> None:
    """Make the folder's files those of a state again."""
    for path in read(folder):
        if path not in state:
            path.unlink()
    for path, content in state.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
