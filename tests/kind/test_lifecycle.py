"""Clusters of dead runs are deleted, and nobody else's."""

from pathlib import Path

import pytest

from conformance.cluster.kind.creation import Order
from conformance.cluster.kind.lifecycle import KEPT, UP, Cluster, sweep, take_kept
from conformance.verdict import Inconclusive
from tests.kind.fake_programs import FakePrograms

DEAD, LIVING, FOREIGN = "dra-conformance-dc1", "dra-conformance-dc2", "kind"


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakePrograms:
    """An engine with a cluster of each sort."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    made = FakePrograms(tmp_path, monkeypatch)
    names = tmp_path / "names"
    names.write_text("".join(f"{name}\n" for name in (DEAD, LIVING, FOREIGN)))
    made.on("docker ps *", script=f'name="${{4##*=}}"; grep -x "$name" {names}; exit 0')
    made.on("docker ps *--format {{.Label*", script=f"cat {names}; exit 0")
    made.on("kind delete cluster --name *", script=f'sed -i "/^$4\\$/d" {names}')
    return made


def test_only_those_of_dead_runs_are_swept(programs: FakePrograms, tmp_path: Path) -> None:
    living = Cluster(tmp_path / "kind", LIVING)
    living.take()
    assert sweep(tmp_path / "kind") == [DEAD]
    living.let_go()
    assert sweep(tmp_path / "kind") == [LIVING]
    assert (tmp_path / "names").read_text().split() == [FOREIGN]
    assert [path.name for path in (tmp_path / "cache" / "dra-conformance" / "kind").iterdir()] == []


def test_a_container_that_comes_late_is_deleted_too(programs: FakePrograms, tmp_path: Path) -> None:
    """kind was killed, but the engine had been asked for one more node."""
    late, names = tmp_path / "late", tmp_path / "names"
    late.touch()
    programs.on("kind delete cluster --name *", script=f"[ ! -e {late} ] || {{ rm {late}; exit 0; }}; echo >{names}")
    assert sweep(tmp_path / "kind")[0] == DEAD
    assert len([call for call in programs.calls if call.startswith(f"kind delete cluster --name {DEAD}")]) == 2


@pytest.mark.usefixtures("programs")
def test_runs_at_the_same_time_keep_one_each(tmp_path: Path) -> None:
    first, second = take_kept(tmp_path / "kind"), take_kept(tmp_path / "kind")
    assert [first.name, second.name] == [KEPT, f"{KEPT}-2"]
    first.let_go()
    assert take_kept(tmp_path / "kind").name == KEPT


@pytest.mark.parametrize("name", [KEPT, f"{KEPT}-2", f"{UP}default"])
def test_one_that_stays_is_swept_when_it_is_half_made(programs: FakePrograms, tmp_path: Path, name: str) -> None:
    (tmp_path / "names").write_text(f"{name}\n")
    # As the engine lists the nodes of a cluster: here as one that has a control plane.
    programs.on("docker ps *--format {{.Names*", script=f"sed s/$/-control-plane/ {tmp_path / 'names'}; exit 0")
    programs.on(f"docker cp {name}-control-plane:*", script='echo "{}" > "$3"')
    assert sweep(tmp_path / "kind") == []
    programs.on("docker cp *", complains="Error: No such container:path", status=1)
    assert sweep(tmp_path / "kind") == [name]


def test_one_whose_making_failed_is_deleted_at_once(programs: FakePrograms, tmp_path: Path) -> None:
    """What is left of it would else look like a cluster that is kept."""
    (tmp_path / "names").write_text(f"{KEPT}\n")
    programs.on("kind create *", complains="ERROR: failed to create cluster", status=1)
    cluster = Cluster(tmp_path / "kind", KEPT)
    cluster.take()
    order = Order("my/node:1", tmp_path / "kind.yaml", tmp_path / "kubeconfig", tmp_path / "log", tmp_path)
    with pytest.raises(Inconclusive, match="failed to create cluster"):
        cluster.create(order)
    assert (tmp_path / "names").read_text() == ""
    with pytest.raises(Inconclusive, match="used by another run"):
        Cluster(tmp_path / "kind", KEPT).take()
    cluster.let_go()
