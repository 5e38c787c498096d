"""Images: found or not, for this machine or not, pulled where a registry answers, else made."""

import json
from pathlib import Path

import pytest

from conformance.cluster.kind import images, node_image
from conformance.cluster.kind.node_image import provide
from conformance.verdict import Inconclusive
from tests.kind.fake_programs import FakePrograms

PUBLISHED = "kindest/node:v1.37.2"


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakePrograms:
    """An engine without any image, and no registry."""
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    made = FakePrograms(tmp_path, monkeypatch)
    made.on("docker image inspect *", complains="Error: No such image: x", status=1)
    made.on("docker pull *", complains="Error response from daemon: Get x: dial tcp: no such host", status=1)
    return made


@pytest.fixture
def said() -> list[str]:
    return []


def has(
    programs: FakePrograms, reference: str, architecture: str = "amd64", purpose: str = "", script: str = ""
) -> None:
    labels = {"dra-conformance": purpose} if purpose else None
    row = {"Id": "sha256:1", "Architecture": architecture, "Config": {"Labels": labels}}
    programs.on(f"docker image inspect {reference}", prints=json.dumps([row]), script=script)


def node(said: list[str], folder: Path, asked: str = "", *, exact: bool = True) -> str:
    def no_programs() -> Path:
        raise Inconclusive("no Go")

    made = provide(asked, "1.37.2", exact=exact, programs=no_programs, run_dir=folder, say=said.append)
    return made.reference


def test_an_image_that_is_not_there(programs: FakePrograms) -> None:
    with pytest.raises(Inconclusive, match=r"^image my/driver:1 is not there: pull or build it first$"):
        images.usable("my/driver:1")


def test_an_image_for_another_machine(programs: FakePrograms) -> None:
    has(programs, "my/driver:1", "arm64")
    with pytest.raises(Inconclusive, match=r"^image my/driver:1 is for arm64, but this machine is amd64: [^\n]+$"):
        images.usable("my/driver:1")


def test_an_engine_that_is_gone_is_not_taken_for_a_missing_image(programs: FakePrograms) -> None:
    programs.on("docker image inspect *", complains="Cannot connect to the Docker daemon at x.", status=1)
    with pytest.raises(Inconclusive, match=r"^cannot look at image my/driver:1: no Docker engine answers$"):
        images.find("my/driver:1")


def test_the_node_image_asked_for_is_pulled(programs: FakePrograms, said: list[str], tmp_path: Path) -> None:
    pulled = tmp_path / "pulled"
    programs.on("docker pull my/node:1", prints="1: Pulling from my/node\n", script=f"touch {pulled}")
    absent = f"[ -e {pulled} ] || {{ echo No such image >&2; exit 1; }}"
    has(programs, "my/node:1", script=absent)
    assert node(said, tmp_path, "my/node:1") == "my/node:1"
    assert said == ["pulling my/node:1"]


def test_a_node_image_asked_for_that_nobody_has(programs: FakePrograms, said: list[str], tmp_path: Path) -> None:
    programs.on("docker pull *", complains="Error response from daemon: manifest unknown: manifest unknown", status=1)
    with pytest.raises(Inconclusive, match=r"^cannot pull image my/node:1: manifest unknown"):
        node(said, tmp_path, "my/node:1")


def test_a_node_image_asked_for_of_another_machine(programs: FakePrograms, said: list[str], tmp_path: Path) -> None:
    has(programs, "my/node:1", "arm64")
    with pytest.raises(Inconclusive, match="is for arm64"):
        node(said, tmp_path, "my/node:1")


def test_what_is_there_is_taken_before_anything_is_pulled(
    programs: FakePrograms, said: list[str], tmp_path: Path
) -> None:
    has(programs, PUBLISHED)
    assert node(said, tmp_path) == PUBLISHED
    has(programs, "dra-conformance/node:v1.37.2-*", purpose=images.OUR_NODE)
    assert node(said, tmp_path).startswith("dra-conformance/node:v1.37.2-")
    assert not [call for call in programs.calls if call.startswith("docker pull")]


def test_without_a_registry_one_is_made(programs: FakePrograms, said: list[str], tmp_path: Path) -> None:
    with pytest.raises(Inconclusive, match=r"^no Go$"):
        node(said, tmp_path)
    assert said == [f"cannot pull image {PUBLISHED}: Get x: dial tcp: no such host"]


def test_another_patch_version_will_do_when_none_was_asked_for(
    programs: FakePrograms, said: list[str], tmp_path: Path
) -> None:
    with pytest.raises(Inconclusive, match=r"^no Go$"):
        node(said, tmp_path, exact=False)
    pulled = [call.split()[2] for call in programs.calls if call.startswith("docker pull")]
    assert pulled[0] == PUBLISHED
    assert pulled[1].startswith("kindest/node:v1.37.0@sha256:")


def test_a_registry_that_does_not_answer_is_not_waited_for(programs: FakePrograms, said: list[str]) -> None:
    programs.on("docker pull *", script="sleep 60")
    with pytest.raises(Inconclusive, match=r"the registry did not answer within 0\.2 s"):
        images.pull("my/node:1", said.append, answers_within=0.2)


def test_a_registry_that_stops_half_way_is_not_waited_for(programs: FakePrograms, said: list[str]) -> None:
    programs.on("docker pull *", script="echo 1: Pulling from my/node; sleep 60")
    with pytest.raises(Inconclusive, match=r"the registry took longer than 0\.2 s"):
        images.pull("my/node:1", said.append, pulled_within=0.2)
    assert said == ["pulling my/node:1"]


def test_only_a_node_image_of_ours_has_a_network(programs: FakePrograms) -> None:
    has(programs, "registry.local/node:1", purpose=images.OUR_NODE)
    has(programs, PUBLISHED)
    assert node_image.has_network(images.usable("registry.local/node:1"))
    assert not node_image.has_network(images.usable(PUBLISHED))


def test_what_a_killed_making_left_is_removed_and_nothing_else(programs: FakePrograms) -> None:
    programs.on("docker ps *", prints="abc\n")
    programs.on("docker rm *")
    tags = "dra-conformance/node:v1-1 dra-conformance/node:v1-2-empty registry.k8s.io/pause:3 my/node:1 <none>:<none>"
    programs.on("docker image ls *", prints=tags.replace(" ", "\n"))
    programs.on("docker image rm *")
    programs.on("docker image prune *")
    node_image.sweep()
    assert programs.calls == [
        "docker ps --all --quiet --filter name=dra-conformance-import-",
        "docker rm --force --volumes abc",
        "docker image ls --filter label=dra-conformance=node-image --format {{.Repository}}:{{.Tag}}",
        "docker image rm dra-conformance/node:v1-2-empty registry.k8s.io/pause:3",
        "docker image prune --force --filter label=dra-conformance",
    ]


def test_a_making_that_is_interrupted_leaves_nothing(
    programs: FakePrograms, said: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(node_image, "follow", interrupted)
    monkeypatch.setattr(node_image, "check_room", lambda *_: None)
    for call in ("docker ps *", "docker image ls *", "docker image prune *"):
        programs.on(call)
    with pytest.raises(KeyboardInterrupt):
        provide("", "1.37.2", exact=True, programs=lambda: tmp_path, run_dir=tmp_path, say=said.append)
    assert [call.split()[1:3] for call in programs.calls][-3:] == [["ps", "--all"], ["image", "ls"], ["image", "prune"]]
