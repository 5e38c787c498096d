"""Programs that other people's CI is made of: fetched or built once, and kept beside what the suite builds."""

import os
import shutil
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from conformance.target import TargetError
from conformance.target.build import build, built_folder, cache_dir, locked
from conformance.target.gomodule import go_is_there
from conformance.target.model import BuildSection
from tests.fetched import Missing, npm, run

ACTIONLINT = BuildSection(
    go_module="github.com/rhysd/actionlint", version="v1.7.12", package="github.com/rhysd/actionlint/cmd/actionlint"
)
ACT = BuildSection(go_module="github.com/nektos/act", version="v0.2.89", package="github.com/nektos/act")
ACTION_VALIDATOR = ("action-validator", ("@action-validator/core@0.6.0", "@action-validator/cli@0.6.0"))
GITLAB_CI_LOCAL = ("gitlab-ci-local", ("gitlab-ci-local@4.61.0",))
TEKTON = "v1.6.0"
_TEKTON_SOURCE = Path(__file__).parent / "tekton"


def wanted() -> None:
    """Skips where nothing was asked to be fetched or built, and never where it was."""
    if os.environ.get("DRA_KIND") != "1":
        pytest.skip("what needs programs of other CI systems runs with DRA_KIND=1, as `make test-kind` does")


def go_program(section: BuildSection) -> Path:
    """A program of a Go module."""
    wanted()
    try:
        return build(section, lambda line: sys.stderr.write(f"{line}\n"))
    except TargetError as error:
        _missing(str(error))


def npm_program(tool: tuple[str, tuple[str, ...]]) -> Path:
    """A program of packages of npm."""
    wanted()
    name, packages = tool
    try:
        return npm(*packages) / ".bin" / name
    except Missing as error:
        _missing(str(error))


def tekton_validator() -> Path:
    """Reads a Task as Tekton's own types, strictly, and validates it as its admission webhook does."""
    wanted()
    if not go_is_there():
        _missing("Go is not on PATH")
    folder = cache_dir() / f"tekton-validate-{TEKTON}"
    try:
        with locked(folder, str):
            if not (folder / "tekton-validate").is_file():
                with built_folder(folder) as work:
                    shutil.copy(_TEKTON_SOURCE / "validate.go.txt", work / "main.go")
                    (work / "out").mkdir()
                    env = {**os.environ, "CGO_ENABLED": "0", "GOWORK": "off", "GOFLAGS": "-mod=mod"}
                    for words in (
                        ("mod", "init", "validate"),
                        ("get", f"github.com/tektoncd/pipeline@{TEKTON}", "sigs.k8s.io/yaml@v1.6.0"),
                        ("mod", "tidy"),
                        ("build", "-o", "out/tekton-validate", "."),
                    ):
                        run(["go", *words], cwd=work, env=env)
    except Missing as error:
        _missing(str(error))
    return folder / "tekton-validate"


def _missing(reason: str) -> NoReturn:
    pytest.fail(f"DRA_KIND=1, and yet something cannot be had: {reason}", pytrace=False)
