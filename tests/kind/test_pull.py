"""A real engine pulls a node image from a real registry, on this machine; it needs no cluster."""

import os
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.cluster.kind import images, node_image
from conformance.verdict import Inconclusive
from tests.kind.registry import registry

pytestmark = pytest.mark.skipif(
    os.environ.get("DRA_KIND") != "1", reason="DRA_KIND=1 says that a Docker engine is there"
)

OURS = "dra-conformance/of-a-test:1"


def docker(*words: str | Path) -> str:
    return subprocess.run(["docker", *words], check=True, capture_output=True, text=True).stdout


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    """An image that only the registry has, for this machine, labelled as a node image of ours."""
    (tmp_path / "hello").write_text("hello\n")
    with tarfile.open(tmp_path / "root.tar", "w") as tar:
        tar.add(tmp_path / "hello", "hello")
    docker("import", "--change", f"LABEL {images.LABEL}={images.OUR_NODE}", tmp_path / "root.tar", OURS)
    docker("save", "--output", tmp_path / "saved.tar", OURS)
    docker("image", "rm", OURS)
    with registry(tmp_path / "saved.tar", tmp_path / "parts") as host:
        reference = f"{host}/kindest/node:v1.37.2"
        yield reference
        subprocess.run(["docker", "image", "rm", reference], capture_output=True, check=False)


def provided(asked: str, folder: Path, said: list[str]) -> images.Image:
    def no_programs() -> Path:
        raise Inconclusive("an image would have to be made")

    return node_image.provide(asked, "1.37.2", exact=True, programs=no_programs, run_dir=folder, say=said.append)


def test_a_node_image_is_pulled_once(served: str, tmp_path: Path) -> None:
    said: list[str] = []
    assert images.find(served) is None
    image = provided(served, tmp_path, said)
    assert (image.reference, image.purpose) == (served, images.OUR_NODE)
    assert said[0] == f"pulling {served}"
    said.clear()
    assert provided(served, tmp_path, said) == image
    assert said == []


def test_a_registry_that_has_none(served: str, tmp_path: Path) -> None:
    host = served.partition("/")[0]
    with pytest.raises(Inconclusive, match=rf"^cannot pull image {host}/[^\n]*$"):
        images.pull(f"{host}/nobody/has@sha256:{'0' * 64}", print)


def test_a_registry_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(Inconclusive, match=r"^cannot pull image 127\.0\.0\.1:9/kindest/node:1: [^\n]*refused[^\n]*$"):
        provided("127.0.0.1:9/kindest/node:1", tmp_path, [])
