"""Reading a driver file: by path, or by the name of one that ships with the suite."""

import json
import math
import os
import re
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from conformance.target.model import DriverFile
from conformance.target.problems import Path as KeyPath
from conformance.target.problems import TargetError, nearest, problems

_SUFFIXES = (".yaml", ".yml", ".json")
_MOST_BYTES = 256 << 10
_MOST_ALIASED = 100_000  # values; all others are bounded by how long a file is
_MANIFEST = (
    "looks like Kubernetes manifests, not like a driver file; give a driver file, which "
    "`dra-conformance driver-template` begins, and name the manifests there in install.manifests"
)


def drivers_folder() -> Path:
    """The folder of the driver files that ship."""
    return Path(str(files("conformance").joinpath("drivers")))


@cache
def shipped() -> tuple[str, ...]:
    """Names of the driver files that ship, sorted."""
    return tuple(sorted(path.stem for path in drivers_folder().glob("*.yaml")))


def find(name_or_path: str) -> Path:
    """The driver file that `--driver` means. Raises TargetError when there is none."""
    looks_like_path = "/" in name_or_path or name_or_path.endswith(_SUFFIXES)
    path = Path(os.path.expanduser(name_or_path)) if looks_like_path else drivers_folder() / f"{name_or_path}.yaml"
    if os.path.isfile(path):
        return path.resolve()
    if looks_like_path:
        why = "is a folder" if os.path.isdir(path) else "does not exist"
        raise TargetError(f"--driver: the driver file {name_or_path} {why}; give the path of a YAML file")
    names = ", ".join(shipped())
    hint = nearest(name_or_path, shipped()) or ";"
    raise TargetError(
        f"--driver: no driver file named {name_or_path!r} ships{hint} shipped are {names}; "
        "for a file of your own give its path, such as ./my-driver.yaml"
    )


def read(path: Path) -> DriverFile:
    """The driver file. Raises TargetError with one sentence for each problem, each beginning with file and line."""
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
        if len(content) > _MOST_BYTES:
            raise TargetError(f"{path}: is longer than {_MOST_BYTES >> 10} KiB; give a driver file")
        root, data = parse(content.decode())
    except OSError as error:
        raise TargetError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise TargetError(f"{path}: is not UTF-8 text; give a YAML file") from None
    except RecursionError:
        raise TargetError(f"{path}: is nested too deeply") from None
    except yaml.YAMLError as error:
        if _is_second_document(error):
            raise TargetError(f"{path}:{line_of(error)}: {_several(content.decode())}") from None
        raise TargetError(f"{path}:{line_of(error)}: is not YAML: {reason_of(error)}") from None
    if isinstance(data, dict) and {"apiVersion", "kind"} <= set(data):
        raise TargetError(f"{path}: {_MANIFEST}")
    if not isinstance(data, dict):
        raise TargetError(f"{path}: is no map; begin with `drivers:`, as docs/driver-file.md shows")
    try:
        return DriverFile.model_validate_json(json.dumps(data, default=str))
    except ValidationError as error:
        if error.errors(include_url=False)[0]["type"] == "json_invalid":  # all that pydantic can have against our JSON
            raise TargetError(f"{path}: is nested too deeply") from None
        lines = [f"{path}:{line_at(root, where)}: {sentence}" for where, sentence in problems(error, data)]
        raise TargetError("\n".join(lines)) from None


def _is_second_document(error: yaml.YAMLError) -> bool:
    return getattr(error, "problem", None) == "but found another document"


def _several(text: str) -> str:
    """What is wrong with several documents in one file."""
    if all(re.search(rf"^{key}:", text, re.MULTILINE) for key in ("apiVersion", "kind")):
        return _MANIFEST
    return "has a second YAML document, and a driver file is one; remove the line `---`, or give another file"


def parse(text: str) -> tuple[yaml.Node | None, Any]:
    """The nodes and the data of a YAML text, for every file that people write. Raises YAMLError and RecursionError."""
    if _Fast is not None:
        with suppress(yaml.YAMLError, UnicodeError):  # what is wrong the slower one says better
            return _parse(_Fast(text))
    return _parse(_Loader(text))


def _parse(loader: Any) -> tuple[yaml.Node | None, Any]:
    try:
        root = loader.get_single_node()
        if root is None:
            return None, None
        _size(root, {})
        return root, loader.construct_document(root)
    finally:
        loader.dispose()


def _size(node: yaml.Node, known: dict[int, float]) -> float:
    """How many values there are once every alias is spelled out. Raises YAMLError when aliases make too many."""
    if id(node) not in known:
        known[id(node)] = math.inf  # found again inside itself, it is without end
        parts = node.value if isinstance(node, yaml.CollectionNode) else ()
        known[id(node)] = 1 + sum(
            _size(inner, known) for part in parts for inner in (part if isinstance(part, tuple) else (part,))
        )
    if known[id(node)] - len(known) > _MOST_ALIASED:
        raise yaml.MarkedYAMLError(problem="its aliases make it too large", problem_mark=node.start_mark)
    return known[id(node)]


class _Strict(yaml.constructor.SafeConstructor, yaml.resolver.Resolver):
    """YAML without the traps: a key given twice is an error, dates stay text, all text can be an argument."""

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        if isinstance(node, yaml.ScalarNode) and re.search("[\0\ud800-\udfff]", node.value):
            problem = "a text with a NUL, or with half a surrogate pair, is of no use"
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=node.start_mark)
        try:
            return super().construct_object(node, deep)
        except (ValueError, LookupError, AttributeError, TypeError):
            tag = node.tag.rpartition(":")[2]
            problem = f"{str(node.value)[:40]!r} cannot be read as {tag}"
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=node.start_mark) from None

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value != "<<" and key.value in seen:
                raise yaml.MarkedYAMLError(problem=f"the key {key.value!r} is given twice", problem_mark=key.start_mark)
            seen.add(key.value if isinstance(key, yaml.ScalarNode) else id(key))
        return super().construct_mapping(node, deep)


_Strict.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in rows if tag != "tag:yaml.org,2002:timestamp"]
    for first, rows in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


class _Loader(_Strict, yaml.SafeLoader):
    """Reads in Python: it says best what is wrong."""


_Fast: Any = type("_Fast", (_Strict, yaml.CSafeLoader), {}) if yaml.__with_libyaml__ else None
"""Reads with libyaml, where PyYAML has it: ten times as fast."""


def line_of(error: yaml.YAMLError) -> int:
    """The line of what YAML cannot be read from, 1 where that is not known."""
    mark = getattr(error, "problem_mark", None)
    return mark.line + 1 if mark else 1


def reason_of(error: yaml.YAMLError) -> str:
    """Why YAML cannot be read, in a few words."""
    reason = str(getattr(error, "problem", None) or str(error).splitlines()[0])
    return f"{reason}; put quotes around a text with braces" if "'{'" in reason else reason


def line_at(node: yaml.Node | None, path: KeyPath) -> int:
    """The line of the deepest part of the path that is in the file."""
    line = node.start_mark.line + 1 if node else 1
    for part in path:
        if isinstance(node, yaml.MappingNode):
            row = next((row for row in node.value if row[0].value == part), None)
            if row is None:
                break
            line, node = row[0].start_mark.line + 1, row[1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
            line = node.start_mark.line + 1
    return line
