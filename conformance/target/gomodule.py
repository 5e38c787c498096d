"""Building programs of a published Go module, without a checkout of it."""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conformance.target.problems import TargetError

Say = Callable[[str], object]

KUBERNETES = "k8s.io/kubernetes"

_PROGRESS_SECONDS = 15.0


@dataclass(frozen=True)
class GoModule:
    """A module at one version, and the import paths of its main packages that are wanted.

    `name`: of the program, where there is one package; several have the names that Go gives them.
    """

    path: str
    version: str
    packages: Sequence[str]
    name: str = ""
    ldflags: str = "-s -w"


def go_is_there() -> bool:
    """Whether there is a Go to build with."""
    return shutil.which("go") is not None


def build_module(module: GoModule, folder: Path, out: Path, say: Say) -> None:
    """Build the packages into the folder `out`, by a module made in `folder`. Raises TargetError."""
    for made in (folder, out):
        made.mkdir(parents=True, exist_ok=True)
    (folder / "go.mod").write_text(_go_mod(module, folder, say), encoding="utf-8")
    _go(["mod", "tidy"], folder, say)
    flags = ["-trimpath", f"-ldflags={module.ldflags}"]
    _go(["build", *flags, "-o", f"{out}/{module.name}", *module.packages], folder, say)


def _go_mod(module: GoModule, folder: Path, say: Say) -> str:
    """A module around the programs' own, with the same Go version, debug settings and replacements."""
    name = f"{module.path}@{module.version}"
    downloaded = json.loads(_go(["mod", "download", "-json", name], folder, say))
    original = json.loads(_go(["mod", "edit", "-json", downloaded["GoMod"]], folder, say))
    lines = ["module wrapper", f"go {original['Go']}", f"require {module.path} {module.version}"]
    lines += [f"godebug {row['Key']}={row['Value']}" for row in original.get("Godebug") or ()]
    lines += [line for row in original.get("Replace") or () if (line := _replacement(row, module))]
    return "\n".join([*lines, *(f"tool {package}" for package in module.packages), ""])


def _replacement(row: dict[str, Any], module: GoModule) -> str | None:
    """A replacement as a line of go.mod.

    Kubernetes replaces its staging modules by local folders, which a downloaded module lacks: they are published as
    v0.x for Kubernetes v1.x. Other local folders cannot be had.
    """
    old, new = row["Old"], row["New"]
    before = f"{old['Path']} {old.get('Version', '')}".strip()
    if new.get("Version"):
        return f"replace {before} => {new['Path']} {new['Version']}"
    if module.path == KUBERNETES:
        return f"replace {before} => {old['Path']} v0.{module.version.removeprefix('v1.')}"
    return None


def _go(arguments: list[str], folder: Path, say: Say) -> str:
    """Run go in a folder and return what it printed. Raises TargetError with its last lines."""
    env = {**os.environ, "CGO_ENABLED": "0", "GOWORK": "off", "GOFLAGS": "-mod=mod"}
    started = time.monotonic()
    with subprocess.Popen(
        ["go", *arguments], cwd=folder, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        while True:
            try:
                out, err = process.communicate(timeout=_PROGRESS_SECONDS)
                break
            except subprocess.TimeoutExpired:
                say(f"go {' '.join(arguments[:2])}: {time.monotonic() - started:.0f} s so far")
            except BaseException:
                process.kill()
                raise
    if process.returncode != 0:
        last = " ".join("\n".join([out, err]).split())[-600:]
        raise TargetError(f"build: go {' '.join(arguments)} ended with status {process.returncode}: {last}")
    return out
