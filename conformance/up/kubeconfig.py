"""The kubeconfig of a kept cluster: it bears a mark, so that no file of somebody else is written over or removed."""

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
    owners = _owners(path)
    if not owners:
        raise NotOurs(
            f"--kubeconfig={path} is there, and not written by `dra-conformance up` alone; give another path, or "
            "remove the file"
        )
    if others := (owners & alive) - {name}:
        raise NotOurs(
            f"--kubeconfig={path} is that of cluster {sorted(others)[0]}, which is up; give another path, or end that "
            f"cluster: dra-conformance down --name={sorted(others)[0]}"
        )


def write(file: str, config: dict[str, Any], name: str) -> None:
    """Write a kubeconfig with our mark, readable by its owner only. Raises OSError."""
    mark = [{"name": _MARK, "extension": {"name": name}}]
    clusters = [{**row, "cluster": {**row["cluster"], "extensions": mark}} for row in config["clusters"]]
    path = Path(file)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as out:
        yaml.safe_dump({**config, "clusters": clusters}, out, sort_keys=False)
    draft.rename(path)


def remove(file: str, name: str) -> None:
    """Remove it if it still is the one of this cluster and of nothing else."""
    if _owners(Path(file)) == {name}:
        Path(file).unlink(missing_ok=True)


def _owners(path: Path) -> set[str]:
    """Names of the clusters that a file was written for; none when anything else is in it, too."""
    try:
        return {_owner(row["cluster"]) for row in yaml.safe_load(path.read_text(encoding="utf-8"))["clusters"]}
    except (OSError, ValueError, TypeError, LookupError, yaml.YAMLError):
        return set()


def _owner(cluster: dict[str, Any]) -> str:
    """Raises LookupError for a cluster without our mark."""
    (owner,) = [row["extension"]["name"] for row in cluster["extensions"] if row["name"] == _MARK]
    return str(owner)
