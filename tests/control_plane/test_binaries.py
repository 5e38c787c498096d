"""The programs of the control plane: where they are looked for, in which order, and how they are built."""

import os
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from conformance.cli_run import command
from conformance.cluster.binaries import PROGRAMS, BinariesError, Wanted, building, find, provide
from tests.target.test_build import GO

Folder = Callable[..., Path]


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is on PATH, in the cache, or in KUBEBUILDER_ASSETS."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path / "no-path"))
    monkeypatch.delenv("KUBEBUILDER_ASSETS", raising=False)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """Makes a folder with programs of a version."""

    def make(name: str, version: str = "1.37.2", programs: tuple[str, ...] = PROGRAMS) -> Path:
        (tmp_path / name).mkdir(parents=True)
        for program in programs:
            file = tmp_path / name / program
            file.write_text(f"#!/bin/sh\necho Kubernetes v{version}\n")
            file.chmod(0o755)
        return tmp_path / name

    return make


def origins(wanted: Wanted) -> tuple[str, list[str]]:
    said: list[str] = []
    found = find(wanted, said.append)
    return (found.origin if found else ""), said


def test_the_order_is_folder_assets_path_cache(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    assert origins(Wanted()) == ("", [])
    cached = folder("cache/dra-conformance/kubernetes-1.37.2")
    assert origins(Wanted()) == (str(cached), [])
    monkeypatch.setenv("PATH", f"{folder('path')}:/usr/bin:/bin")
    assert origins(Wanted()) == ("PATH", [])
    monkeypatch.setenv("KUBEBUILDER_ASSETS", str(folder("assets")))
    assert origins(Wanted()) == (f"KUBEBUILDER_ASSETS={os.environ['KUBEBUILDER_ASSETS']}", [])
    given = folder("given", "1.35.4")
    found = find(Wanted(given), str)
    assert found
    assert (found.origin, found.version) == (str(given), "1.35.4")
    assert list(found.programs) == list(PROGRAMS)


def test_a_place_that_lacks_some_or_is_too_old_is_passed_by(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    assets = folder("assets", programs=("etcd", "kube-apiserver"))
    monkeypatch.setenv("KUBEBUILDER_ASSETS", str(assets))
    monkeypatch.setenv("PATH", f"{folder('path', '1.33.9')}:/usr/bin:/bin")
    assert origins(Wanted()) == (
        "",
        [
            f"KUBEBUILDER_ASSETS={assets} has etcd, kube-apiserver, but lacks kube-controller-manager, kube-scheduler: "
            "not used",
            "PATH has Kubernetes 1.33.9, not 1.34 or newer: not used",
        ],
    )


def test_a_version_that_is_asked_for_must_be_that(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{folder('path', '1.36.0')}:/usr/bin:/bin")
    assert origins(Wanted())[0] == "PATH"
    assert origins(Wanted(version="1.35.4")) == ("", ["PATH has Kubernetes 1.36.0, not 1.35.4: not used"])


@pytest.mark.parametrize(
    ("version", "programs", "wanted", "says"),
    [
        ("1.37.2", PROGRAMS[:3], "", r"=\S+ has no kube-scheduler; give a folder with the programs etcd, .* and kube-"),
        ("1.36.0", PROGRAMS, "1.37.2", r"has Kubernetes 1.36.0, but 1.37.2 is needed; give another folder or another"),
        ("1.30.1", PROGRAMS, "", r"has Kubernetes 1.30.1, but 1.34 or newer is needed"),
        (
            "what",
            PROGRAMS,
            "",
            r"kube-apiserver does not say its version \(Kubernetes vwhat\); it must be kube-",
        ),
    ],
)
def test_a_folder_that_will_not_do(
    folder: Folder, version: str, programs: tuple[str, ...], wanted: str, says: str
) -> None:
    with pytest.raises(BinariesError, match=says) as caught:
        find(Wanted(folder("given", version, programs), wanted), str)
    assert len(str(caught.value).splitlines()) == 1


def test_without_programs_and_go_one_sentence_says_what_to_do(tmp_path: Path) -> None:
    argv = command(["--driver=reference", "--cluster=control-plane", f"--report-dir={tmp_path / 'report'}"])
    done = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 4, done.stdout + done.stderr
    said = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    assert said == [
        "ERROR: --cluster=control-plane: the programs etcd, kube-apiserver, kube-controller-manager, kube-scheduler of "
        "Kubernetes 1.37.2 are neither in KUBEBUILDER_ASSETS nor on PATH and there is no Go to build them with; give "
        "--kubernetes-binaries=FOLDER with all four, or install Go (https://go.dev/doc/install)"
    ]
    assert not (tmp_path / "report").exists()


@pytest.fixture
def go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A go that only writes down what it was asked, and makes what it should build; the file it writes to."""
    log, edit, program = tmp_path / "log", tmp_path / "edit", tmp_path / "bin" / "go"
    edit.write_text('{"Go": "1.26.0", "Replace": [{"Old": {"Path": "k8s.io/api"}, "New": {"Path": "./staging"}}]}')
    program.parent.mkdir()
    programs = " ".join(f'"$5{name}"' for name in building.KUBERNETES_PROGRAMS)
    several = f'case "$5" in */) touch {programs}; chmod +x {programs} ;; *) echo program > "$5"; chmod +x "$5" ;; esac'
    text = GO.format(log=log, edit=edit).replace('echo program > "$5"; chmod +x "$5"', several)
    program.write_text(text, encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    return log


def test_they_are_built_once_also_by_two_runs_at_once(go: Path, tmp_path: Path) -> None:
    said: list[str] = []
    runs = [threading.Thread(target=provide, args=(Wanted(version="1.36.1"), said.append)) for _ in range(2)]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    cache = tmp_path / "cache" / "dra-conformance"
    assert sorted(path.name for path in (cache / "kubernetes-1.36.1").iterdir()) == sorted(PROGRAMS)
    assert [path.name for path in cache.iterdir() if "build-" in path.name] == []
    calls = go.read_text().splitlines()
    assert len([line for line in calls if line.startswith("build ")]) == 2
    assert "mod download -json go.etcd.io/etcd/server/v3@v3.6.16" in calls
    assert "mod download -json k8s.io/kubernetes@v1.36.1" in calls
    assert "replace k8s.io/api => k8s.io/api v0.36.1" in Path(f"{go}.go.mod").read_text().splitlines()
    (stamped,) = [line for line in calls if "gitVersion=v1.36.1" in line]
    assert stamped.endswith(" ".join(f"k8s.io/kubernetes/cmd/{name}" for name in building.KUBERNETES_PROGRAMS))
    assert len([line for line in said if line.startswith("building Kubernetes 1.36.1 and etcd v3.6.16 with Go")]) == 1


def test_a_build_that_fails_is_one_sentence_and_leaves_nothing(go: Path, tmp_path: Path) -> None:
    program = tmp_path / "bin" / "go"
    program.write_text(program.read_text().replace('"mod tidy")', '"mod tidy") echo no network >&2; exit 1;;\n"x")'))
    with pytest.raises(BinariesError, match=r"^Kubernetes 1.37.2 cannot be built: build: go mod tidy ended .*: no net"):
        provide(Wanted(), str)
    cache = tmp_path / "cache" / "dra-conformance"
    assert [path.name for path in cache.iterdir()] == [".kubernetes-1.37.2.lock"]


def test_a_version_must_look_like_one(tmp_path: Path) -> None:
    argv = command(["--driver=reference", "--cluster=control-plane", "--kubernetes-version=latest"])
    done = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 4
    assert "--kubernetes-version=latest is no version of Kubernetes; give one such as 1.37.2" in done.stderr
