"""With a wrapper around it that does nothing, a driver has the verdicts that it has without."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from conformance.cluster.kubeconfig import Access, write_kubeconfig
from conformance.cluster.wait import wait_for
from tests.mutants.wrapper import write_wrapped
from tests.variants import ROOT, run

# Kubernetes' test driver handles SIGTERM only after it has published (its app/server.go), and can be
# registered before: told to end in between it dies. The proxy makes that time longer.
RACES: Mapping[str, frozenset[str]] = {"kubernetes-test-driver": frozenset({"registration.clean_exit"})}


@pytest.mark.skipif(os.environ.get("DRA_ALL") != "1", reason="four whole runs, in `make kills`")
@pytest.mark.parametrize("driver", ["reference", "kubernetes-test-driver"])
def test_nothing_is_wrong_with_the_wrapper(driver: str, tmp_path: Path) -> None:
    bare, wrapped = tmp_path / "bare", tmp_path / "wrapped"
    for folder in (bare, wrapped):
        folder.mkdir()
    file = write_wrapped(wrapped, driver)
    with_it, without = run(file, wrapped / "report"), run(driver, bare / "report")
    differing = {id for id in without if with_it[id] != without[id]}
    assert differing - RACES.get(driver, frozenset()) == set()


@contextmanager
def wrapped(folder: Path, script: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A wrapper around a shell script, once that runs, and the script's process id."""
    kubeconfig = write_kubeconfig(folder / "kubeconfig", Access("https://127.0.0.1:1", token="t"), "driver")
    options = {"home": folder / "w", "kubeconfig": kubeconfig, "node-name": "node-a", "driver-name": "d.example.com"}
    options |= {name: folder / name for name in ("registry-dir", "plugins-dir", "cdi-dir")}
    command = [sys.executable, "-m", "tests.mutants.wrapper", *(f"--{key}={value}" for key, value in options.items())]
    script = f"{script}; echo $$; while :; do sleep 0.02; done"
    process = subprocess.Popen([*command, "--", "sh", "-c", script], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    with process:
        try:
            yield process, int(process.stdout.readline())
        finally:
            process.kill()


def test_ends_when_it_is_told_to_with_the_drivers_status(tmp_path: Path) -> None:
    with wrapped(tmp_path, "trap 'exit 7' TERM") as (process, _):
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 7


def test_the_driver_dies_with_it(tmp_path: Path) -> None:
    with wrapped(tmp_path, "trap '' TERM") as (process, driver):
        assert Path(f"/proc/{driver}").exists()
        process.kill()
        wait_for(lambda: not Path(f"/proc/{driver}").exists(), "the driver to be gone", timeout=10)
