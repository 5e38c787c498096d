"""`dra-conformance images` lists every image that is named in what ships, and a run asks a mirror for them."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from conformance import cli, images
from conformance.cluster.existing.settings import ExistingSettings
from conformance.cluster.kind import node_image
from conformance.cluster.mirror import of_driver
from conformance.needed_images import MADE, needed
from conformance.session.options import CLUSTERS
from conformance.target import Target
from conformance.verdict import Inconclusive
from tests.kind.fake_programs import FakePrograms
from tests.repository.sources import GENERATED, PACKAGES, ROOT, files
from tests.variants import DRIVERS

SHIPPED = [path for path in files() if path.parts[0] in (*PACKAGES, "kind") and not path.name.endswith(GENERATED)]
NAMED = re.compile(r"^\s*(?:- )?image: *[\"']?([^\s\"'#]+)|^FROM (\S+)|^ARG \w+=(\S+/\S+:\S+|\w[\w.-]*:\d\S*)", re.M)
REGISTRIES = ("registry.k8s.io/", "kindest/", "docker.io/", "ghcr.io/", "quay.io/", "gcr.io/", "mcr.microsoft.com/")
WHOLE = r"[a-z][\w./-]*:v?\d+\.\d[\w.-]*(@sha256:\w+)?"

BUILT_FROM = {"python:3.13-slim-bookworm"}
"""What the reference driver's Dockerfile begins with; no run needs it."""
NO_IMAGE = {"trial"}
"""Of a pod that is tried against the API server only, and never made."""
IN_THE_NODE = ("registry.k8s.io/",)
"""How the images of kubeadm begin, which are made here and are in the image of the nodes; a sweep looks for them."""


def of_yaml(text: str) -> Iterator[str]:
    for match in NAMED.finditer(text):
        yield next(group for group in match.groups() if group)


def of_python(text: str) -> Iterator[str]:
    """Texts that can only be images: of a known registry, or a name with a version."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            for word in re.findall(r"[^\s\"'`(){},;=]+", node.value):
                if word.startswith(REGISTRIES) or (node.value == word and re.fullmatch(WHOLE, word)):
                    yield word


def named() -> dict[str, list[str]]:
    """Every image that a file names which ships, and these files."""
    found: dict[str, list[str]] = {}
    for path in SHIPPED:
        text = (ROOT / path).read_text(encoding="utf-8", errors="replace")
        for image in of_python(text) if path.suffix == ".py" else of_yaml(text):
            if not image.startswith(("$", "{", '"{')):
                found.setdefault(image, []).append(str(path))
    return found


def listed() -> set[str]:
    """What the command lists, with every driver file that ships."""
    drivers = [Target.load(path.stem) for path in sorted(DRIVERS.glob("*.yaml"))]
    assert drivers
    return {row.image for kind in CLUSTERS for driver in drivers for row in needed(kind, driver, "", "")}


def test_no_image_is_named_that_the_list_does_not_have() -> None:
    known = {*listed(), *BUILT_FROM, *NO_IMAGE, *IN_THE_NODE, images.NODES, images.NOT_RUN}
    stray = {image: where for image, where in named().items() if image not in known}
    shown = {"dra-conformance/reference-driver:0.1.0", "kindest/node:v1.37.2", "registry.k8s.io/pause:3.10.1"}
    assert shown <= set(named())
    assert stray == {}


def test_every_entry_of_a_driver_file_that_ships_is_listed() -> None:
    for path in sorted(DRIVERS.glob("*.yaml")):
        install = yaml.safe_load(path.read_text(encoding="utf-8")).get("install") or {}
        on_kind = {row.image for row in needed("kind", Target.load(path.stem), "", "")}
        assert set(install.get("images") or ()) <= on_kind


@pytest.mark.parametrize(
    ("image", "there"),
    [
        ("kindest/node:v1.37.2", "r.example.com/m/kindest/node:v1.37.2"),
        ("python:3.12-slim", "r.example.com/m/python:3.12-slim"),
        ("registry.k8s.io/pause:3.10.1", "r.example.com/m/pause:3.10.1"),
        ("localhost/a/b", "r.example.com/m/a/b"),
        ("host:5000/a@sha256:12", "r.example.com/m/a@sha256:12"),
    ],
)
def test_where_a_mirror_has_an_image(image: str, there: str) -> None:
    assert images.mirrored(image, "r.example.com/m") == there
    assert images.mirrored(image, "") == image


def test_nodes_come_from_the_mirror(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs = FakePrograms(tmp_path, monkeypatch)
    programs.on("docker image inspect *", script="echo 'Error: No such image: x' >&2; exit 1")
    programs.on("docker pull *", script="echo 'denied' >&2; exit 1")

    def none() -> Path:
        raise Inconclusive("an image would have to be made")

    with pytest.raises(Inconclusive, match="would have to be made"):
        node_image.provide("", "1.37.2", exact=False, registry="m.local/x", programs=none, run_dir=tmp_path, say=print)
    pulled = [call.split()[2] for call in programs.calls if call.startswith("docker pull")]
    assert pulled == [row.mirrored for row in needed("kind", None, "", "m.local/x") if row.mirrored]


def test_pods_on_an_existing_cluster_come_from_the_mirror(tmp_path: Path) -> None:
    settings = ExistingSettings.of(tmp_path, (), "", "m.local/x")
    assert {settings.node_image, settings.pause} == {row.mirrored for row in needed("existing", None, "", "m.local/x")}
    assert ExistingSettings.of(tmp_path, (), "mine:1", "m.local/x").node_image == "mine:1"


def test_images_that_a_driver_file_has_made_are_not_pulled() -> None:
    assert list(of_driver(Target.load("reference"), "kind")) == [("dra-conformance/reference-driver:0.1.0", True)]
    assert {row.how for row in needed("kind", Target.load("reference"), "", "") if "driver" in row.image} == {MADE}
    assert list(of_driver(Target.load("reference"), "embedded")) == []


def test_images_that_a_driver_file_only_names_are_pulled(tmp_path: Path) -> None:
    (tmp_path / "d.yaml").write_text(
        "drivers: [{name: gpu.my-company.com}]\n"
        "image: {reference: 'ghcr.io/my/driver:1', nextVersion: {reference: 'ghcr.io/my/driver:2'}}\n"
        "install: {images: ['ghcr.io/my/driver:1', 'ghcr.io/my/helper:1'], manifests: []}\n"
    )
    target = Target.load(str(tmp_path / "d.yaml"))
    assert list(of_driver(target, "embedded")) == [("ghcr.io/my/driver:1", False), ("ghcr.io/my/driver:2", False)]
    assert list(of_driver(target, "kind")) == [("ghcr.io/my/driver:1", False), ("ghcr.io/my/helper:1", False)]
    assert list(of_driver(target, "existing")) == []
    rows = needed("embedded", target, "", "m.local/x")
    assert [row.mirrored for row in rows] == ["m.local/x/my/driver:1", "m.local/x/my/driver:2"]


def test_what_the_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["images", "--registry-prefix=registry.example.com/mirror/"]) == 0
    printed = capsys.readouterr().out
    for line in ("embedded  no image", "registry.example.com/mirror/kindest/node:v1.37.2"):
        assert line in printed
    assert cli.main(["images", "--cluster=kind", "--kubernetes-version=v1.36.3", "--json"]) == 0
    (node, *_) = json.loads(capsys.readouterr().out)
    assert (node["image"], node["how"]) == ("kindest/node:v1.36.3", "pulled")


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("--cluster=kid", "there is no cluster 'kid' here"),
        ("--registry-prefix=https://r.example.com", "is no registry; give a host"),
        ("--driver=nobody", "nobody"),
    ],
)
def test_what_is_wrong_is_told(option: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["images", option]) == 4
    assert said in capsys.readouterr().err


def test_a_bad_prefix_of_a_run_is_told() -> None:
    with pytest.raises(ValueError, match=r"^--registry-prefix=a b is no registry; give a host"):
        images.prefix("a b", ValueError)
    assert images.prefix("localhost:5000/m/", ValueError) == "localhost:5000/m"
