"""Building a program once: kept in the cache folder, never half there, never twice."""

import fcntl
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from conformance.target import Target, TargetError, build
from conformance.target.model import BuildSection

SECTION = BuildSection(go_module="example.com/mod", version="v1.2.3", package="example.com/mod/cmd/driver")

GO = """#!/bin/sh
echo "$@" >> {log}
case "$1 $2" in
"mod download") echo '{{"GoMod": "/its/go.mod"}}' ;;
"mod edit") cat {edit} ;;
"mod tidy") cp go.mod {log}.go.mod ;;
"build -trimpath") echo program > "$5"; chmod +x "$5" ;;
esac
"""

Say = Callable[[str], object]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "dra-conformance"


@pytest.fixture
def go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A go that only writes down what it was asked; the file it writes to."""
    log, edit, program = tmp_path / "log", tmp_path / "edit", tmp_path / "bin" / "go"
    edit.write_text('{"Go": "1.26.0"}', encoding="utf-8")
    program.parent.mkdir()
    program.write_text(GO.format(log=log, edit=edit), encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    return log


def test_a_program_is_built_once_and_kept(go: Path, cache: Path) -> None:
    lines: list[str] = []
    first = build.build(SECTION, lines.append)
    assert first == cache / "example.com_mod_cmd_driver-v1.2.3" / "driver"
    assert first.read_text() == "program\n"
    assert lines[0].startswith("building example.com/mod/cmd/driver v1.2.3 with Go; needed once")
    calls = go.read_text()
    assert build.build(SECTION, lines.append) == first
    assert go.read_text() == calls
    assert [path.name for path in cache.iterdir() if "build-" in path.name] == []


def test_the_module_around_it_keeps_go_version_settings_and_replacements(go: Path, tmp_path: Path) -> None:
    (tmp_path / "edit").write_text(
        """{"Go": "1.26.0", "Godebug": [{"Key": "default", "Value": "go1.26"}], "Replace": [
        {"Old": {"Path": "a.com/a"}, "New": {"Path": "b.com/b", "Version": "v2.0.0"}},
        {"Old": {"Path": "k8s.io/api"}, "New": {"Path": "./staging/src/k8s.io/api"}}]}"""
    )
    section = BuildSection(go_module="k8s.io/kubernetes", version="v1.37.2", package="k8s.io/kubernetes/test/driver")
    build.build(section, str)
    assert Path(f"{go}.go.mod").read_text().splitlines() == [
        "module wrapper",
        "go 1.26.0",
        "require k8s.io/kubernetes v1.37.2",
        "godebug default=go1.26",
        "replace a.com/a => b.com/b v2.0.0",
        "replace k8s.io/api => k8s.io/api v0.37.2",
        "tool k8s.io/kubernetes/test/driver",
    ]


def test_two_runs_at_once_build_it_once(go: Path, cache: Path) -> None:
    cache.mkdir(parents=True)
    said: list[str] = []
    waiting = threading.Event()

    def say(line: str) -> None:
        said.append(line)
        waiting.set()

    with (cache / ".example.com_mod_cmd_driver-v1.2.3.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        second = threading.Thread(target=build.build, args=(SECTION, say))
        second.start()
        assert waiting.wait(5)
        built = build.binary(SECTION)
        built.parent.mkdir()
        built.touch()
    second.join(5)
    assert said == ["another run is building example.com_mod_cmd_driver-v1.2.3; waiting for it"]
    assert not go.exists()


def test_a_build_that_fails_says_why_and_leaves_nothing(go: Path, tmp_path: Path, cache: Path) -> None:
    program = tmp_path / "bin" / "go"
    program.write_text(program.read_text().replace('echo program > "$5"', "echo no such package >&2; exit 1; true"))
    with pytest.raises(TargetError, match=r"go build .* ended with status 1: no such package"):
        build.build(SECTION, str)
    assert [path.name for path in cache.iterdir()] == [".example.com_mod_cmd_driver-v1.2.3.lock"]


def test_what_a_killed_build_left_is_swept(go: Path, cache: Path) -> None:
    stale = cache / ".example.com_mod_cmd_driver-v1.2.3.build-abc"
    stale.mkdir(parents=True)
    build.build(SECTION, str)
    assert not stale.exists()


def test_without_go_one_sentence_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(TargetError) as caught:
        Target.load("kubernetes-test-driver")
    assert "kubernetes-test-driver.yaml: build: Go is not on PATH, but k8s.io/kubernetes/test/e2e" in str(caught.value)
    assert "install Go" in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_without_go_a_program_that_was_built_before_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    target = Target.load("kubernetes-test-driver", process=False)
    assert target.file.build
    built = build.binary(target.file.build)
    built.parent.mkdir(parents=True)
    built.touch()
    monkeypatch.setenv("PATH", "/nowhere")
    assert Target.load("kubernetes-test-driver").build() == built
