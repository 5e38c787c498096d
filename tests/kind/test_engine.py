"""A Docker engine that cannot be used is told in one sentence that says what to do."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conformance.cluster.kind import engine
from conformance.cluster.kind.command import last_words
from conformance.verdict import Inconclusive
from tests.kind.fake_programs import FakePrograms

INFO = "docker info --format {{json .}}"


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakePrograms:
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    monkeypatch.delenv("DOCKER_HOST", raising=False)
    return FakePrograms(tmp_path, monkeypatch)


def facts(folder: Path, **more: object) -> str:
    return json.dumps({"OSType": "linux", "DockerRootDir": str(folder), **more})


def refused() -> str:
    with pytest.raises(Inconclusive) as refusal:
        engine.check_engine()
    assert "\n" not in str(refusal.value)
    return str(refusal.value)


def test_an_engine_that_answers_is_good(programs: FakePrograms, tmp_path: Path) -> None:
    programs.on(INFO, prints=facts(tmp_path))
    engine.check_engine()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("platform.machine", lambda: "riscv64"), "needs Linux on x86_64 or aarch64, this is Linux riscv64"),
        (("os.geteuid", lambda: 1000), "needs root"),
        (("shutil.which", lambda _: None), "there is no command docker"),
    ],
)
def test_what_the_machine_lacks_is_said(
    programs: FakePrograms, change: tuple[str, Callable[..., Any]], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(*change)
    assert said in refused()


def test_an_engine_that_is_not_there(programs: FakePrograms, monkeypatch: pytest.MonkeyPatch) -> None:
    words = "Cannot connect to the Docker daemon at unix:///tmp/none. Is the docker daemon running?"
    programs.on(INFO, prints=json.dumps({"ServerErrors": None}), complains=words, status=1)
    assert "but no Docker engine answers; " in refused()
    assert refused().endswith("engine.sh starts one")
    monkeypatch.setenv("DOCKER_HOST", "unix:///tmp/none")
    assert "engine at unix:///tmp/none, but" in refused()


def test_an_engine_that_is_not_there_for_an_old_client(programs: FakePrograms) -> None:
    """It exits with 0 and hides the error in its answer."""
    programs.on(INFO, prints=json.dumps({"ServerErrors": ["Cannot connect to the Docker daemon at x."]}))
    assert "no Docker engine answers" in refused()


def test_no_permission(programs: FakePrograms) -> None:
    words = "permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock: …"
    programs.on(INFO, complains=words, status=1)
    assert refused() == "--cluster=kind needs a Docker engine, but this user may not talk to the Docker engine"


def test_an_engine_that_hangs(programs: FakePrograms, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_ANSWERS_WITHIN", 0.2)
    programs.on(INFO, script="sleep 30")
    assert "docker took longer than 0.2 s" in refused()


def test_a_disk_that_is_full(programs: FakePrograms, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs.on(INFO, prints=facts(tmp_path))
    monkeypatch.setattr(engine, "CLUSTER", 10**18)
    assert refused().startswith(f"the disk is full: {tmp_path} has ")
    programs.on(INFO, prints=facts(tmp_path / "on another machine"))
    engine.check_engine()


def test_an_engine_for_another_system(programs: FakePrograms, tmp_path: Path) -> None:
    programs.on(INFO, prints=facts(tmp_path, OSType="windows"))
    assert "needs a Docker engine for Linux, this one is for windows" in refused()


@pytest.mark.parametrize(
    ("words", "meaning"),
    [
        (
            "docker: Error response from daemon: x is in use.\n\nRun 'docker run --help' for more information",
            "x is in use.",
        ),
        ("ERROR: x\nwrite /blobs/sha256/1: no space left on device\nat main.go:12", "the disk is full"),
        ("exec /usr/local/bin/entrypoint: exec format error", "another architecture than this machine"),
        ("no matching manifest for linux/arm64 in the manifest list entries", "none for the architecture of this"),
    ],
)
def test_what_the_engine_says_on_the_way_is_told_plainly(words: str, meaning: str) -> None:
    assert meaning in last_words(words)
