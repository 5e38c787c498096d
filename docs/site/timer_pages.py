"""Periods and limits, read from the code that has them: the kubelet's, and every other that is counted in seconds."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from markup import prose, table

ROOT = Path(__file__).resolve().parents[2]
_KUBELET = "conformance/cluster/kubelet/settings.py"
_NAMED = re.compile(
    r"_(SECONDS|WITHIN|PERIOD|TIMEOUT|PATIENCE|DEADLINE)$|^_?(TIMEOUT|PERIOD|PATIENCE|DEADLINE|WITHIN)$"
)
_COUNTED = re.compile(r"\bseconds\b")
_PARTS = {
    "conformance/checks": "Checks",
    "conformance/cluster/embedded": "The embedded cluster",
    "conformance/cluster/kubelet": "The suite's kubelet",
    "conformance/cluster/kind": "Clusters of kind",
    "conformance/cluster/existing": "Existing clusters",
    "conformance/cluster": "What all clusters share",
    "conformance": "The rest of the suite",
    "reference_driver": "The reference driver",
}


@dataclass(frozen=True)
class Number:
    """A constant of a file: its value in seconds and what the line says of it."""

    path: str
    name: str
    value: float
    comment: str


def pages() -> Iterator[tuple[str, str]]:
    """(path, text) of the page."""
    texts = [
        "# Timers and limits",
        "Every period and limit that is counted in seconds, from the line of the code that holds it. Limits of a check"
        " as a whole (`--conformance-timeout`) and of a driver (`limits` in [its file](../driver-file.md)) are"
        " settings.",
        "## The kubelet's",
        f"From [{_KUBELET}](../../{_KUBELET}). Periods that are the kubelet's own are shorter in the embedded cluster;"
        " time that the contract gives to a driver never is. On real nodes they are Kubernetes' own.",
        table(("setting", "here", "in Kubernetes"), [_setting(number) for number in _settings()]),
    ]
    numbers = [number for folder in ("conformance", "reference_driver") for number in _constants(ROOT / folder)]
    for folder, title in _PARTS.items():
        own = [number for number in numbers if _part(number.path) == folder]
        rows = [
            (f"[{n.path.removeprefix(folder + '/')}](../../{n.path})", f"`{n.name}`", f"{n.value:g}", prose(n.comment))
            for n in own
        ]
        if rows:
            texts += [f"## {title}", table(("file", "name", "seconds", "what for"), rows)]
    yield "reference/timers.md", "\n\n".join(texts) + "\n"


def _part(path: str) -> str:
    return next(folder for folder in _PARTS if path.startswith(f"{folder}/"))


def _settings() -> Iterator[Number]:
    """The fields of the kubelet's settings that are times."""
    for node, comment in _assignments(ROOT / _KUBELET):
        if isinstance(node, ast.AnnAssign) and isinstance(node.annotation, ast.Name) and node.annotation.id == "float":
            yield _number(_KUBELET, node, comment)


def _setting(number: Number) -> tuple[str, str, str]:
    real, _, what = number.comment.partition(":")
    return f"`{number.name}`", f"{number.value:g}", prose(f"{real}:{what}" if what else real)


def _constants(folder: Path) -> Iterator[Number]:
    for file in sorted(folder.rglob("*.py")):
        path = str(file.relative_to(ROOT))
        if file.name.endswith("_pb2.py") or path == _KUBELET:
            continue
        for node, comment in _assignments(file):
            number = _number(path, node, comment) if node.col_offset == 0 else None
            if number and (_NAMED.search(number.name) or _COUNTED.match(comment)):
                yield number


def _assignments(file: Path) -> Iterator[tuple[ast.Assign | ast.AnnAssign, str]]:
    """Assignments of a number to a name, with the comment on their line."""
    text = file.read_text(encoding="utf-8")
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Constant):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name) and type(node.value.value) in (int, float):
                yield node, lines[node.lineno - 1].partition("  # ")[2]


def _number(path: str, node: ast.Assign | ast.AnnAssign, comment: str) -> Number:
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
    assert isinstance(target, ast.Name)
    assert isinstance(node.value, ast.Constant)
    assert isinstance(node.value.value, int | float)
    return Number(path, target.id, float(node.value.value), comment)
