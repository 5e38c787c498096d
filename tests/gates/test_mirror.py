"""--registry-prefix gets the driver's image from a mirror, and gives it the name that manifests have for it."""

import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.cluster.kind import images
from conformance.cluster.mirror import fetch
from conformance.target import Target
from conformance.verdict import Inconclusive
from tests.gates import tools
from tests.kind.registry import registry

NAME = "gpu.my-company.com/drivers/dra:1.4.2"


def docker(*words: str | Path) -> None:
    subprocess.run(["docker", *words], check=True, capture_output=True)


@pytest.fixture
def mirror(tmp_path: Path) -> Iterator[str]:
    """A registry that has the driver's image; the engine has not got it."""
    tools.wanted()
    (tmp_path / "hello").write_text("hello\n")
    with tarfile.open(tmp_path / "root.tar", "w") as tar:
        tar.add(tmp_path / "hello", "hello")
    docker("import", tmp_path / "root.tar", NAME)
    docker("save", "--output", tmp_path / "saved.tar", NAME)
    docker("image", "rm", NAME)
    with registry(tmp_path / "saved.tar", tmp_path / "parts") as host:
        yield f"{host}/m"
        subprocess.run(["docker", "image", "rm", NAME, f"{host}/m/drivers/dra:1.4.2"], capture_output=True, check=False)


@pytest.mark.parametrize("cluster", ["embedded", "kind"])
def test_an_image_that_is_not_here_is_got_from_the_mirror(cluster: str, mirror: str, tmp_path: Path) -> None:
    file = tmp_path / "d.yaml"
    file.write_text(
        f"drivers: [{{name: gpu.my-company.com}}]\nimage: {{reference: '{NAME}'}}\n"
        f"install: {{images: ['{NAME}'], manifests: []}}\n"
    )
    said: list[str] = []
    for _ in range(2):  # the second time it is there
        fetch(Target.load(str(file)), cluster, mirror, said.append)
    assert said[0] == f"pulling {mirror}/drivers/dra:1.4.2"
    assert [line for line in said if line.startswith("pulling")] == said[:1]
    assert images.find(NAME) is not None


def test_a_mirror_that_does_not_answer_is_told(tmp_path: Path) -> None:
    tools.wanted()
    (tmp_path / "d.yaml").write_text(f"drivers: [{{name: gpu.my-company.com}}]\nimage: {{reference: '{NAME}'}}\n")
    with pytest.raises(Inconclusive, match=r"^cannot pull image 127\.0\.0\.1:9/m/drivers/dra:1\.4\.2: [^\n]*refused"):
        fetch(Target.load(str(tmp_path / "d.yaml")), "embedded", "127.0.0.1:9/m", print)
