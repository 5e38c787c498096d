"""What is kept about a cluster of kind; the cluster itself is played."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import pytest
import yaml

from conformance import cli
from conformance.cluster import mirror
from conformance.cluster.kind import tryout
from conformance.target import Target
from conformance.up import kinds
from conformance.up.ending import State, clusters
from conformance.up.place import names
from conformance.verdict import Inconclusive, WaitTimeout

CONFIG = {
    "clusters": [{"name": "kind", "cluster": {"server": "https://127.0.0.1:6443"}}],
    "users": [{"name": "admin", "user": {"token": "t"}}],
}


class Played:
    """A cluster of kind, as Tryout. `making` and `installing` are what goes wrong; `deleted` is told of."""

    making: Exception | None = None
    installing: Exception | None = None
    running = True
    deleted = 0
    registries: ClassVar[list[object]] = []

    def __init__(self, name: str, home: Path) -> None:
        self.tools = home / "bin"
        self.kubeconfig = home / "kubeconfig"

    def make(self, kubernetes: str, binaries: Path | None, registry: str, say: object) -> None:
        Played.registries.append(registry)
        if self.making:
            raise self.making
        self.tools.mkdir(parents=True)
        self.kubeconfig.write_text(yaml.safe_dump(CONFIG))

    def look(self, kubernetes: str) -> None: ...

    def install(self, target: Target, say: object) -> None:
        if self.installing:
            raise self.installing

    def version(self) -> str:
        return "v1.37.2"

    def runs(self) -> bool:
        return self.running

    def delete(self) -> None:
        Played.deleted += 1


def no_check(targets: Sequence[Target]) -> None:
    """There is no engine to look for."""


@pytest.fixture(autouse=True)
def _played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(kinds, "Tryout", Played)
    monkeypatch.setattr(tryout, "check", no_check)
    monkeypatch.setattr(Played, "deleted", 0)


def up(*arguments: str) -> int:
    return cli.main(["up", "--cluster=kind", "--background", *arguments])


def test_images_come_from_a_mirror(monkeypatch: pytest.MonkeyPatch) -> None:
    """That of the nodes while the cluster is made, those of a driver before it is installed."""
    fetched: list[tuple[str, str, str]] = []

    def fetch(target: Target, cluster: str, prefix: str, say: object) -> None:
        fetched.append((target.driver_name, cluster, prefix))

    monkeypatch.setattr(mirror, "fetch", fetch)
    monkeypatch.setattr(Played, "registries", [])
    assert up("--driver=reference", "--registry-prefix=registry.example.com/mirror/") == 0
    assert Played.registries == ["registry.example.com/mirror"]
    assert fetched == [("gpu.example.com", "kind", "registry.example.com/mirror")]


def test_drivers_come_beside_each_other_until_it_is_ended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert up("--driver=kubernetes-test-driver") == 0
    first = capsys.readouterr().out
    assert up("--driver=reference", f"--kubeconfig={tmp_path}/config") == 0
    ((known, state),) = clusters()
    assert (known.drivers, state) == (("test-driver.cdi.k8s.io", "gpu.example.com"), State.UP)
    folder = tmp_path / "dra-conformance" / "up" / "default"
    assert first == f"export KUBECONFIG={folder}/kubeconfig PATH={folder}/kind/bin:$PATH\n"
    assert yaml.safe_load((tmp_path / "config").read_text())["users"] == CONFIG["users"]

    assert cli.main(["up"]) == 4
    assert "is up already, on kind" in capsys.readouterr().err
    assert cli.main(["down"]) == 0
    assert (names(), Played.deleted, (tmp_path / "config").exists()) == ([], 1, False)


def test_nothing_is_left_of_one_that_cannot_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Played, "making", Inconclusive("the disk is full"))
    assert up() == 6
    assert (names(), Played.deleted) == ([], 1)


def test_it_stays_when_a_driver_does_not_get_ready(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Played, "installing", WaitTimeout("waited 60 s for pod driver-1"))
    assert up() == 6
    assert "waited 60 s for pod driver-1" in capsys.readouterr().err
    ((known, state),) = clusters()
    assert (known.drivers, state) == ((), State.UP)


def test_one_that_only_does_not_run_is_dead_and_stays_until_it_is_ended(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert up() == 0
    monkeypatch.setattr(Played, "running", False)
    for _ in range(2):
        capsys.readouterr()
        assert cli.main(["status"]) == 0
        assert capsys.readouterr().out.splitlines()[1].split()[4] == "dead"
    assert cli.main(["down", "--all"]) == 0
    assert names() == []
