"""Installing a Python package once: kept in the cache folder, and one sentence when it cannot be had."""

import sys
from pathlib import Path

import pytest

from conformance.target import Target, TargetError, pythonpackage
from conformance.target.model import PythonSection
from conformance.verdict import Inconclusive

SECTION = PythonSection(package="some-driver", version="1.2.3", pins=["grpcio==1.85.3"])


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "dra-conformance"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Command lines, none of which is run; the environment is made as an empty folder with a Python."""
    commands: list[list[str]] = []

    def run(section: PythonSection, command: list[str]) -> None:
        commands.append(command)
        if command[-2] == "venv":
            python = Path(command[-1]) / "bin" / "python"
            python.parent.mkdir(parents=True)
            python.symlink_to(sys.executable)

    monkeypatch.setattr(pythonpackage, "_run", run)
    return commands


def test_a_package_is_installed_once_with_its_pins(asked: list[list[str]], cache: Path) -> None:
    lines: list[str] = []
    python = pythonpackage.install(SECTION, lines.append)
    assert python == pythonpackage.interpreter(SECTION)
    assert python.exists()
    assert python.is_relative_to(cache)
    assert lines[0] == "installing some-driver 1.2.3 with pip; needed once"
    _, pip = asked
    assert pip[-1] == "some-driver==1.2.3"
    assert pip[-2].startswith("--constraint=")
    assert pythonpackage.install(SECTION, lines.append) == python
    assert len(asked) == 2
    assert [path.name for path in cache.iterdir() if "build-" in path.name] == []


def test_other_pins_are_another_environment() -> None:
    other = SECTION.model_copy(update={"pins": ["grpcio==1.85.2"]})
    assert pythonpackage.interpreter(other) != pythonpackage.interpreter(SECTION)


def test_what_cannot_be_had_is_no_fault_of_the_driver(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    with pytest.raises(Inconclusive) as caught:
        pythonpackage.install(SECTION, str)
    text = str(caught.value)
    assert text.startswith("some-driver 1.2.3 cannot be installed: No matching distribution found")
    assert text.endswith("it is needed once, so run again with a way to the package index")
    assert len(text.splitlines()) == 1
    assert [path.name for path in cache.iterdir() if not path.name.endswith(".lock")] == []


def test_binary_is_the_python_of_the_environment() -> None:
    target = Target.load("pydra-tpu")
    assert target.file.python
    assert target.static_values()["binary"] == str(pythonpackage.interpreter(target.file.python))


def test_a_file_builds_one_program(tmp_path: Path) -> None:
    path = tmp_path / "d.yaml"
    path.write_text(
        "drivers: [{name: d}]\n"
        "build: {goModule: m, version: v1.0.0, package: m/d}\n"
        "python: {package: p, version: 1.0.0}\n",
        encoding="utf-8",
    )
    with pytest.raises(TargetError, match=r"d\.yaml: build and python both make \{binary\}; keep one of them$"):
        Target.load(str(path), process=False)
