"""The image of the suite is made by its Dockerfile and judges drivers; for arm64 all of its packages can be had.

Where no registry can be asked, Debian with Python stands in for the image that the Dockerfile begins with.
"""

import io
import os
import re
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from conformance.report import load
from tests.gates import tools
from tests.gates.jobs import GATES, TEKTON
from tests.gates.test_gates import ONE
from tests.repository.sources import ROOT, files

DOCKERFILE = GATES / "image" / "Dockerfile"
SCRIPT = Path(__file__).with_name("base.sh")
BASE, GO = "dra-conformance/gate-base:bookworm", "dra-conformance/gate-go:bookworm"
SUITE, SUITE_KIND = "dra-conformance/suite:of-a-test", "dra-conformance/suite-kind:of-a-test"
DRIVER = "dra-conformance/reference-driver:of-a-test"
_LIMIT = 1500


def test_what_it_begins_with_has_a_version() -> None:
    text = DOCKERFILE.read_text(encoding="utf-8")
    assert re.findall(r"^ARG (\w+)=\S+:(\S+)$", text, re.MULTILINE) == [
        ("BASE", "3.13-slim-bookworm"),
        ("GO", "1.26-bookworm"),
    ]
    assert "go install sigs.k8s.io/kind@v0.33.0" in text
    assert "--require-hashes" in text


@pytest.fixture(scope="module")
def suite() -> Iterator[str]:
    """The image of the suite."""
    yield from built(DOCKERFILE, SUITE, "--target=suite")


@pytest.fixture(scope="module")
def suite_kind() -> Iterator[str]:
    """The image with a Docker engine and kind; the Go of this machine stands in for golang's image."""
    tools.wanted()
    for tags in ([BASE], [BASE, GO]):
        subprocess.run(["bash", SCRIPT, *tags], check=True, timeout=_LIMIT)
    yield from built(DOCKERFILE, SUITE_KIND, "--target=suite-kind", f"--build-arg=GO={GO}")


@pytest.fixture(scope="module")
def driver() -> Iterator[str]:
    """The image of the reference driver, by its Dockerfile."""
    yield from built(ROOT / "reference_driver" / "deploy" / "Dockerfile", DRIVER)


def built(dockerfile: Path, tag: str, *options: str) -> Iterator[str]:
    """An image made by the classic builder, which needs no plugin of Docker; it is removed afterwards."""
    tools.wanted()
    subprocess.run(["bash", SCRIPT, BASE], check=True, timeout=_LIMIT)
    context = io.BytesIO()  # in a format whose first block shows Docker that it is an archive
    with tarfile.open(fileobj=context, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for path in files():
            tar.add(ROOT / path, str(path))
    command = ["docker", "build", "--network=host", f"--build-arg=BASE={BASE}", f"--tag={tag}", *options]
    command += [f"--file={dockerfile.relative_to(ROOT)}", "-"]
    env = {**os.environ, "DOCKER_BUILDKIT": "0"}
    done = subprocess.run(command, input=context.getvalue(), env=env, capture_output=True, timeout=_LIMIT, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr).decode()[-3000:]
    yield tag
    subprocess.run(["docker", "image", "rm", tag], check=True, capture_output=True)


def docker_run(suite: str, folder: Path, *command: str, user: str = "65534:65534") -> subprocess.CompletedProcess[str]:
    """Run it in a folder, without privileges and without a network."""
    words = ["docker", "run", "--rm", "--network=none", "--cap-drop=ALL", f"--user={user}", "--env=HOME=/tmp"]
    words += [f"--volume={folder}:/work", "--workdir=/work", suite, *command]
    return subprocess.run(words, capture_output=True, text=True, timeout=_LIMIT, check=False)


def test_it_judges_a_driver(suite: str, tmp_path: Path) -> None:
    folder = tmp_path / "clean"
    folder.mkdir()
    folder.chmod(0o777)
    done = docker_run(suite, folder, "dra-conformance", "run", "--driver=reference")
    assert done.returncode == 0, done.stdout + done.stderr
    report = load(folder / "conformance-report" / "report.json")
    assert (report.outcome, report.exit_status) == ("conformant", 0)
    assert docker_run(suite, folder, "dra-conformance", "verify", "conformance-report").returncode == 0
    assert docker_run(suite, folder, "dra-conformance", "run", "--driver=./no.yaml", ONE).returncode == 4


def test_it_has_nothing_that_only_tests_need(suite: str, tmp_path: Path) -> None:
    listed = docker_run(suite, tmp_path, "/opt/dra-conformance/bin/pip", "list").stdout
    assert "dra-conformance" in listed
    assert not re.search(r"^(mypy|ruff|playwright|kubernetes)\b", listed, re.MULTILINE)


@pytest.fixture
def job(suite_kind: str, tmp_path: Path) -> Iterator[str]:
    """A container with the privileges and mounts that the examples for Tekton and Prow ask for."""
    (kind,) = (step for step in yaml.safe_load(TEKTON["kind"].read_text(encoding="utf-8"))["spec"]["steps"])
    assert [row["mountPath"] for row in kind["volumeMounts"]] == ["/var/lib/docker", "/lib/modules", "/sys/fs/cgroup"]
    words = ["docker", "run", "--detach", "--rm", "--privileged", "--cgroupns=host", "--volume=/var/lib/docker"]
    words += ["--volume=/lib/modules:/lib/modules:ro", "--volume=/sys/fs/cgroup:/sys/fs/cgroup"]
    words += [f"--volume={tmp_path}:/work", "--workdir=/work", suite_kind, "sleep", str(_LIMIT)]
    container = subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
    yield container
    subprocess.run(["docker", "rm", "--force", "--volumes", container], check=True, capture_output=True)


def test_the_one_for_kind_judges_on_a_cluster_inside_of_it(job: str, nodes: str, tmp_path: Path) -> None:
    inside = ["docker", "exec", "--interactive", job]
    subprocess.run([*inside, "start-docker-engine"], check=True, timeout=120)
    with subprocess.Popen(["docker", "save", nodes], stdout=subprocess.PIPE) as saved:
        subprocess.run([*inside, "docker", "load"], stdin=saved.stdout, check=True, capture_output=True, timeout=_LIMIT)
    run = ["dra-conformance", "run", "--driver=reference", "--cluster=kind", f"--kind-image={nodes}", ONE]
    done = subprocess.run([*inside, *run], capture_output=True, text=True, timeout=_LIMIT, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    report = load(tmp_path / "conformance-report" / "report.json")
    assert (report.exit_status, report.cluster["kind"]) == (0, "kind")


def test_the_image_of_the_reference_driver_starts(driver: str) -> None:
    done = subprocess.run(["docker", "run", "--rm", driver, "--help"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "--node-name" in done.stdout


def test_every_package_can_be_had_for_arm64(tmp_path: Path) -> None:
    """As wheels with the hashes of the lock file; programs in Go are built for it by Go itself."""
    tools.wanted()
    platforms = [f"--platform={name}_aarch64" for name in ("manylinux2014", "manylinux_2_28", "manylinux_2_34")]
    options = ["--only-binary=:all:", "--no-deps", "--require-hashes", "--python-version=3.13", *platforms]
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", f"--dest={tmp_path}"]
    done = subprocess.run(
        [*pip, *options, f"--requirement={ROOT / 'requirements.lock'}"],
        capture_output=True,
        text=True,
        timeout=_LIMIT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert [path.name for path in tmp_path.iterdir() if "x86_64" in path.name] == []
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("grpcio-") and "aarch64" in path.name]
