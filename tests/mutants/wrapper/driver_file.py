"""Driver files of drivers with a wrapper around them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from tests.variants import DRIVERS, ROOT

_HOME = "{node_root}/w/{instance}"
_INSIDE = {"{registry_dir}": f"{_HOME}/r", "{kubeconfig}": f"{_HOME}/kubeconfig"}


def write_wrapped(folder: Path, driver: str, module: str = "tests.mutants.wrapper", **limits: float) -> Path:
    """The driver file of a driver that ships (`driver` is its name), with the module's wrapper around its process.

    Limits are those of the driver file, unless given. On clusters of real nodes it installs the driver without it.
    """
    file = yaml.safe_load((DRIVERS / f"{driver}.yaml").read_text(encoding="utf-8"))
    for section in (file, file.get("install", {})):
        section["manifests"] = [_at(entry) for entry in section.get("manifests", [])]
    process = file["process"]
    following = process.get("nextVersion", {})
    for section in (process, following):
        if "command" in section:
            section["command"] = _command(module, section["command"])
    process["env"] = {**_inside(process.get("env", {})), "PYTHONPATH": str(ROOT)}
    if limits:
        file["limits"] = {**file.get("limits", {}), **limits}
    path = folder / f"{driver}.yaml"
    path.write_text(yaml.safe_dump(file), encoding="utf-8")
    return path


def _command(module: str, command: list[str]) -> list[str]:
    own = {
        "home": _HOME,
        "registry-dir": "{registry_dir}",
        "plugins-dir": "{plugins_dir}",
        "cdi-dir": "{cdi_dir}",
        "kubeconfig": "{kubeconfig}",
        "node-name": "{node_name}",
        "driver-name": "{driver_name}",
    }
    return ["{python}", "-m", module, *(f"--{name}={value}" for name, value in own.items()), "--", *map(_text, command)]


def _at(entry: Any) -> Any:
    """A manifest: a path beside the driver file that ships, or an object."""
    return str(DRIVERS / entry) if isinstance(entry, str) else entry


def _inside(values: Mapping[str, Any]) -> dict[str, str]:
    return {name: _text(str(value)) for name, value in values.items()}


def _text(text: str) -> str:
    for placeholder, inside in _INSIDE.items():
        text = text.replace(placeholder, inside)
    return text
