"""The files of the repository, for guards over all of them."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("conformance", "fakegpu", "reference_driver")
GENERATED = ("_pb2.py", "_pb2.pyi", "_pb2_grpc.py")
_PASSED_BY = {".git", ".venv", "build", "dist", "__pycache__", "allure-results"}


@cache
def files() -> tuple[Path, ...]:
    """Every file that a commit would hold, relative to the root, sorted."""
    return tuple(sorted(path.relative_to(ROOT) for path in _walk(ROOT)))


def code(*folders: str) -> list[Path]:
    """Python files that people write, below these folders, relative to the root."""
    return [
        path
        for path in files()
        if path.suffix == ".py" and path.parts[0] in folders and not path.name.endswith(GENERATED)
    ]


def imports(path: Path) -> Iterator[str]:
    """Names of the modules that a file imports, also inside functions; relative ones made absolute."""
    package = list(path.parent.parts)
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def _walk(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.name in _PASSED_BY or path.name.startswith("conformance-report") or path.name.endswith("_cache"):
            continue
        if path.name.endswith(".egg-info") or path.name == ".hypothesis":
            continue
        if path.is_dir() and not path.is_symlink():
            yield from _walk(path)
        elif path.is_file():
            yield path
