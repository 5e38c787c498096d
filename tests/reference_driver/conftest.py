"""A fake API server, a node's folders and the driver process on them."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from .fake_api import FakeApi, fake_api
from .process import DriverProcess

Start = Callable[..., DriverProcess]


@pytest.fixture
def api() -> Iterator[FakeApi]:
    with fake_api() as server:
        yield server


@pytest.fixture
def root() -> Iterator[Path]:
    """A folder with a short path: pytest's own are too long for sockets."""
    path = Path(tempfile.mkdtemp(prefix="rd", dir="/tmp"))
    yield path
    shutil.rmtree(path)


@pytest.fixture
def start(api: FakeApi, root: Path) -> Iterator[Start]:
    """Start an instance; it is killed at the end of the test."""
    started: list[DriverProcess] = []

    def run(*arguments: str, pod_uid: str = "", program: tuple[str, ...] = ()) -> DriverProcess:
        kubeconfig = api.kubeconfig(root / "kubeconfig")
        started.append(DriverProcess(root, kubeconfig, *arguments, pod_uid=pod_uid, program=program))
        return started[-1].wait_serving()

    yield run
    for process in started:
        process.kill()
