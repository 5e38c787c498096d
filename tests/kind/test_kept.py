"""A cluster that is kept is used again only when it is what is wanted, whole, and alive."""

import json
from contextlib import ExitStack
from pathlib import Path

import pytest

from conformance.cluster.kind import bring_up as bringing
from conformance.cluster.kind import kept
from conformance.cluster.kind.images import Image
from conformance.cluster.kind.lifecycle import KEPT
from conformance.cluster.kind.programs import Programs
from conformance.cluster.kind.settings import KindSettings
from tests.kind.fake_programs import FakePrograms

NODES = [f"{KEPT}-control-plane", f"{KEPT}-worker", f"{KEPT}-worker2"]
IMAGE = Image("my/node:1", "sha256:0123456789abcdef", "amd64", "")


class KindWorld:
    """An engine, and kind: clusters are lines in a file, their records files beside it."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.said: list[str] = []
        self.programs = FakePrograms(folder, monkeypatch)
        self._cluster, self._record = folder / "cluster", folder / "record"
        on = self.programs.on
        on("docker image *")
        on("docker image inspect *", prints=json.dumps([{"Id": IMAGE.id, "Architecture": "amd64"}]))
        on("docker ps *", script=f"cat {self._cluster} 2>/dev/null; exit 0")
        on("docker ps *--format {{.Label*", script=f"[ ! -e {self._cluster} ] || echo {KEPT}; exit 0")
        on("docker ps --all --quiet *")
        on(f"docker cp {NODES[0]}:*", script=f'cp {self._record} "$3"; exit $?')
        on("docker exec *")
        on("docker exec *sh -c *", script=f'printf %s "${{@: -1}}" >{self._record}')
        on("docker exec * rm *", script=f"rm {self._record}")
        names = " ".join(NODES)
        on("kind create *", script=f"printf '%s\\n' {names} >{self._cluster}; rm -f {self._record}")
        on("kind delete *", script=f"rm -f {self._cluster} {self._record}")
        on("kind export *")

    def run(self, settings: KindSettings, *, killed: bool = False) -> list[str]:
        """One run with the cluster; returns what it had kind do."""
        before = len(self.programs.calls)
        running = ExitStack()
        programs = Programs(self.folder, settings.kubernetes, self.folder / "links", self.said.append)
        run_dir = self.folder / "run"
        run_dir.mkdir(exist_ok=True)
        cluster = bringing.bring_up(settings, programs, run_dir, self.folder / "kind.log", running, self.said.append)
        if killed:
            running.pop_all()
            cluster.let_go()  # as the kernel does
        running.close()
        return [call.split()[1] for call in self.programs.calls[before:] if call.startswith("kind ")]


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KindWorld:
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return KindWorld(tmp_path, monkeypatch)


KEEP = KindSettings(keep=True, image=IMAGE.reference)


def test_a_kept_cluster_is_used_again(world: KindWorld) -> None:
    assert world.run(KEEP) == ["create"]
    assert world.run(KEEP) == ["export"]
    assert world.run(KEEP) == ["export"]
    assert world.said == []


def test_one_that_is_not_to_be_kept_is_deleted(world: KindWorld) -> None:
    assert world.run(KindSettings(image=IMAGE.reference)) == ["create", "delete"]


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        (KindSettings("1.36.3", keep=True, image="my/node:1"), "Kubernetes 1.37.2, not with Kubernetes 1.36.3"),
        (KindSettings(keep=True, image="my/node:1", real_timers=True), "fast timers, not with real timers"),
        (
            KindSettings(keep=True, image="my/node:2"),
            "the node image my/node:1 (0123456789ab), not with the node image my/node:2 (0123456789ab)",
        ),
    ],
)
def test_one_that_is_not_what_is_wanted_is_made_anew(world: KindWorld, wanted: KindSettings, why: str) -> None:
    world.run(KEEP)
    assert world.run(wanted) == ["delete", "create"]
    assert world.said == [f"making cluster {KEPT} anew: it was made with {why}"]


def test_one_whose_run_was_killed_is_swept_by_the_next(world: KindWorld) -> None:
    world.run(KEEP)
    world.run(KEEP, killed=True)
    assert world.run(KEEP) == ["delete", "create"]
    assert world.said == [f"deleted cluster {KEPT}, which a run that was killed had left"]


def test_one_whose_nodes_do_not_run_is_made_anew(world: KindWorld) -> None:
    world.run(KEEP)
    world.programs.on(f"docker exec {NODES[2]} true", complains="Error: container is not running", status=1)
    assert world.run(KEEP) == ["delete", "create"]
    assert "is not running" in world.said[0]


def test_one_that_is_not_left_in_order_has_no_record(world: KindWorld) -> None:
    running = ExitStack()
    programs = Programs(world.folder, KEEP.kubernetes, world.folder / "links", world.said.append)
    (world.folder / "run").mkdir()
    bringing.bring_up(KEEP, programs, world.folder / "run", world.folder / "kind.log", running, world.said.append)

    def fail() -> None:
        raise OSError("the driver could not be removed")

    running.callback(fail)
    with pytest.raises(OSError, match="could not be removed"):
        running.close()
    assert not kept.is_whole(NODES)
    assert world.run(KEEP) == ["delete", "create"]


def test_one_that_ended_under_its_run_is_made_anew(world: KindWorld) -> None:
    world.programs.on("docker exec *sh -c *", complains="Error: container is not running", status=1)
    world.run(KEEP)
    assert world.said[0].startswith(f"the next run will make cluster {KEPT} anew: cannot write down")
    assert not kept.is_whole(NODES)


def test_a_run_that_keeps_nothing_leaves_a_kept_one_alone(world: KindWorld) -> None:
    world.run(KEEP)
    world.run(KindSettings(image=IMAGE.reference))
    assert [call for call in world.programs.calls if call.startswith("kind delete") and KEPT in call] == []
