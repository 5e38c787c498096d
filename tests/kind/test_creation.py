"""A cluster is asked for in the same words, with and without pytest-kind-ng."""

from pathlib import Path

import pytest

from conformance.cluster.kind.creation import Order, create
from conformance.verdict import Inconclusive
from tests.kind.fake_programs import FakePrograms

# What we use of it: the real one is licensed under the GPL and is not among our dependencies.
PYTEST_KIND = """
import subprocess
from pathlib import Path

class KindCluster:
    def __init__(self, name, kubeconfig=None, image=None, kind_path=None, kubectl_path=None):
        self.name, self.kubeconfig_path, self.image, self.kind_path = name, kubeconfig, image, kind_path
        assert kubectl_path == kind_path.with_name("kubectl")
        Path(".pytest-kind", name).mkdir(parents=True)

    def create(self, config_file=None):
        subprocess.check_output([self.kind_path, "get", "clusters"])
        subprocess.run([self.kind_path, "create", "cluster", f"--name={self.name}",
            f"--kubeconfig={self.kubeconfig_path}", f"--image={self.image}", "--config", config_file], check=True)
"""


@pytest.fixture
def order(tmp_path: Path) -> Order:
    return Order("my/node:1", tmp_path / "kind.yaml", tmp_path / "kubeconfig", tmp_path / "kind.log", tmp_path)


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakePrograms:
    made = FakePrograms(tmp_path, monkeypatch)
    made.on("kind get clusters")
    made.on("kind create *", prints="made\n")
    made.on("docker exec *")
    return made


@pytest.fixture(params=["kind", "pytest-kind-ng"])
def maker(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "pytest-kind-ng":
        (tmp_path / "site" / "pytest_kind").mkdir(parents=True)
        (tmp_path / "site" / "pytest_kind" / "__init__.py").write_text(PYTEST_KIND)
        monkeypatch.syspath_prepend(str(tmp_path / "site"))
        monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))
    return str(request.param)


def test_both_ask_for_the_same(programs: FakePrograms, order: Order, maker: str, tmp_path: Path) -> None:
    create(tmp_path / "kind", "x", order)
    (made,) = (call for call in programs.calls if call.startswith("kind create"))
    words = made.replace("--config=", "--config ").split()
    assert words[:3] == ["kind", "create", "cluster"]
    assert sorted(words[3:]) == sorted(
        ["--name=x", f"--kubeconfig={order.kubeconfig}", "--image=my/node:1", "--config", str(order.config)]
    )
    assert "made" in order.log.read_text()
    assert (order.run_dir / ".pytest-kind").exists() == (maker == "pytest-kind-ng")  # not where pytest was started


def test_the_nodes_are_waited_for(programs: FakePrograms, order: Order, maker: str, tmp_path: Path) -> None:
    programs.on("docker exec *", complains="error: timed out waiting for the condition on nodes/x-worker", status=1)
    with pytest.raises(Inconclusive, match=r"nodes of the cluster become ready: error: timed out .* nodes/x-worker$"):
        create(tmp_path / "kind", "x", order)


def test_what_kind_says_is_told(programs: FakePrograms, order: Order, maker: str, tmp_path: Path) -> None:
    programs.on("kind create *", complains="ERROR: failed to create cluster: x is in use\n", status=1)
    with pytest.raises(Inconclusive, match=r"^cannot make a cluster with kind: ERROR: failed to create [^\n]*in use$"):
        create(tmp_path / "kind", "x", order)
