"""The kubeconfig of a kept cluster: it bears a mark, so that no file of somebody else is written over or removed."""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import yaml

_MARK = "dra-conformance.up"  # an extension, which kubectl keeps when it changes the file


class NotOurs(ValueError):
    """The file is of somebody else, or of another cluster."""


def check(path: Path, name: str, alive: frozenset[str]) -> None:
    """Raises NotOurs when the cluster `name` must not write there; `alive`: clusters that are up."""
    if path.is_symlink() or not path.exists():
        if path.is_symlink():
            raise NotOurs(f"--kubeconfig={path} is a symbolic link; give the path of a file of its own")
        if not path.parent.is_dir():
            raise NotOurs(f"--kubeconfig={path}: there is no folder {path.parent}; make it, or give another path")
        return
    if path.is_dir():
        raise NotOurs(f"--kubeconfig={path} is a folder; give the path of a file, such as {path / 'kubeconfig'}")
    owner = _owner(path)
    if not owner:
        raise NotOurs(
            f"--kubeconfig={path} is there, and not written by `dra-conformance up` alone; give another path, or "
            "remove the file"
        )
    if owner != name and owner in alive:
        raise NotOurs(
            f"--kubeconfig={path} is that of cluster {owner}, which is up; give another path, or end that "
            f"cluster: dra-conformance down --name={owner}"
        )


def write(file: str, config: dict[str, Any], name: str) -> None:
    """Write a kubeconfig with our mark, readable by its owner only. Raises OSError."""
    mark = [{"name": _MARK, "extension": {"name": name, "written": _digest(config)}}]
    first, *others = config["clusters"]
    clusters = [{**first, "cluster": {**first["cluster"], "extensions": [*_others(first), *mark]}}, *others]
    path = Path(file)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as out:
        yaml.safe_dump({**config, "clusters": clusters}, out, sort_keys=False)
    draft.rename(path)


def remove(file: str, name: str) -> None:
    """Remove it if it still is the one of this cluster, and nothing was added to it."""
    if _owner(Path(file)) == name:
        Path(file).unlink(missing_ok=True)


def _owner(path: Path) -> str:
    """Name of the cluster that a file was written for; "" when anything else is in it, or anything was changed."""
    try:
        config = yaml.safe_load(path.read_text(encoding="utf-8"))
        (mark,) = [
            row["extension"]
            for cluster in config["clusters"]
            for row in cluster["cluster"]["extensions"]
            if row["name"] == _MARK
        ]
        return str(mark["name"]) if mark["written"] == _digest(config) and _points_inside(config) else ""
    except (OSError, ValueError, TypeError, LookupError, AttributeError, yaml.YAMLError):
        return ""


def _digest(config: dict[str, Any]) -> str:
    """Of all but the mark and current-context, as SHA-256; the same when kubectl has written the file anew."""
    clusters = [{**row, "cluster": {**row["cluster"], "extensions": _others(row)}} for row in config["clusters"]]
    rest = {key: value for key, value in config.items() if key != "current-context"}
    return hashlib.sha256(json.dumps(_said({**rest, "clusters": clusters}), sort_keys=True).encode()).hexdigest()


def _others(row: dict[str, Any]) -> list[Any]:
    return [each for each in row["cluster"].get("extensions") or () if each["name"] != _MARK]


def _said(value: Any) -> Any:
    """Without what is empty, which kubectl leaves out or puts in as it likes."""
    if isinstance(value, dict):
        kept = {key: _said(item) for key, item in value.items()}
        return {key: item for key, item in kept.items() if item not in (None, "", {}, [])}
    return [_said(item) for item in value] if isinstance(value, list) else value


def _points_inside(config: dict[str, Any]) -> bool:
    """Whether current-context is one of those that the file has, or unset."""
    current = config.get("current-context")
    return not current or current in [row["name"] for row in config.get("contexts") or ()]
