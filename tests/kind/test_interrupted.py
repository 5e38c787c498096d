"""A run on kind that is interrupted leaves no container, no folder and no process; one that is killed, for the next."""

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.cli_run import command
from conformance.cluster.kind import lifecycle
from conformance.cluster.kind.programs import kind_command
from conformance.cluster.kind.settings import KUBERNETES_VERSION
from conformance.cluster.wait import seen_within, wait_for
from conformance.session import rundir
from conformance.session.rundir import RUN_VARIABLE

pytestmark = pytest.mark.skipif(os.environ.get("DRA_KIND") != "1", reason="makes clusters; run with DRA_KIND=1")


class Run:
    """A run that is just making its cluster."""

    def __init__(self, folder: Path) -> None:
        others, self._images = containers(), images()
        report = f"--report-dir={folder}/report"
        argv = command(["--driver=reference", "--cluster=kind", report, "-p", "no:cacheprovider"])
        with (folder / "output").open("wb") as output:
            # Else a shell that runs the tests in the background would have SIGINT ignored.
            argv = ["env", "--default-signal=INT", *argv]
            self.process = subprocess.Popen(argv, cwd=folder, stdout=output, stderr=output)
        first = min(wait_for(lambda: containers() - others, "the run to make containers", timeout=120))
        self.cluster = "-".join(first.split("-")[:3])  # dra-conformance-dc…, then the name of the node
        self.folder = Path("/tmp", self.cluster.rpartition("-")[2])

    def left(self) -> list[str]:
        """What there still is of it."""
        found = [name for name in containers() if name.startswith(self.cluster)]
        found += [str(self.folder)] * self.folder.exists()
        return [*found, *processes_of(self.folder), *(images() - self._images)]


def containers() -> set[str]:
    return docker("ps", "--all", "--filter", "name=dra-conformance-", "--format", "{{.Names}}")


def images() -> set[str]:
    return docker("images", "--filter", "label=dra-conformance", "--format", "{{.Repository}}:{{.Tag}}")


def docker(*arguments: str) -> set[str]:
    return set(subprocess.run(["docker", *arguments], capture_output=True, text=True, check=True).stdout.split())


def processes_of(folder: Path) -> list[str]:
    """Command lines of the processes that a run has started."""
    wanted, found = f"{RUN_VARIABLE}={folder}".encode(), []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if wanted in (entry / "environ").read_bytes().split(b"\0"):
                found.append((entry / "cmdline").read_bytes().decode(errors="replace"))
        except OSError:
            continue
    return found


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    started = Run(tmp_path)
    yield started
    started.process.kill()
    started.process.wait()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=lambda number: number.name)
def test_an_interrupted_run_leaves_nothing(number: signal.Signals, run: Run) -> None:
    assert str(run.folder) in run.left()
    run.process.send_signal(number)
    assert run.process.wait(60) == 2
    assert run.left() == []


def test_what_a_killed_run_leaves_is_gone_with_the_next(run: Run) -> None:
    run.process.kill()
    run.process.wait()
    assert str(run.folder) in run.left(), "nobody could remove it"
    rundir.sweep()
    lifecycle.sweep(kind_command(None, KUBERNETES_VERSION, str))
    assert seen_within(lambda: not run.left(), 30), run.left()
