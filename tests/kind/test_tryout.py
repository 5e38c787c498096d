"""A cluster to try a driver on by hand."""

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from conformance import cli
from conformance.cluster.kind import tryout
from conformance.target.model import DriverSection

NODES = ("one", "two")


class Published:
    """An API in which a driver has published for some nodes."""

    def __init__(self, *nodes: str) -> None:
        self.items = [{"spec": {"nodeName": node}} for node in nodes]

    def list(self, resource: str, *, field_selector: str) -> Any:
        return {"items": self.items}


@pytest.mark.parametrize(
    ("published", "missing"),
    [((), "for one, two"), (("two",), "for one"), (("one", "two"), "")],
)
def test_a_driver_is_ready_when_it_has_published_for_each_worker(published: tuple[str, ...], missing: str) -> None:
    driver = DriverSection(name="gpu.example.com")
    said = tryout._silent(driver, Published(*published), NODES)  # type: ignore[arg-type]
    assert said.partition("ResourceSlice ")[2] == missing


def test_a_driver_of_the_network_publishes_for_no_node() -> None:
    driver = DriverSection(name="gpu.example.com", scope="network-attached")
    assert tryout._silent(driver, Published(), NODES).endswith("has published no ResourceSlice")  # type: ignore[arg-type]
    assert tryout._silent(driver, Published("anywhere"), NODES) == ""  # type: ignore[arg-type]


def test_a_pod_counts_as_ready_when_its_condition_says_so() -> None:
    conditions = [{"type": "Ready", "status": "True"}]
    assert tryout._is_ready({"status": {"phase": "Running", "conditions": conditions}})
    assert tryout._is_ready({"status": {"phase": "Succeeded"}})
    assert not tryout._is_ready({"status": {"phase": "Pending"}})
    assert not tryout._is_ready({})


def test_deleting_a_cluster_that_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cli.main(["cluster", "down"]) == 0
    assert "there is no cluster" in capsys.readouterr().err


def test_a_missing_engine_is_told_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr("shutil.which", lambda _: None)
    assert cli.main(["cluster", "up", "--driver=reference"]) == 6
    said = capsys.readouterr()
    assert "there is no command docker" in said.err
    assert (said.err.count("\n"), said.out) == (1, "")


@pytest.mark.parametrize("driver", ["no-such-driver", "./no-such-file.yaml"])
def test_a_driver_that_is_not_there_is_a_usage_error(driver: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["cluster", "up", f"--driver={driver}"]) == 4
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.skipif(os.environ.get("DRA_KIND") != "1", reason="makes a cluster; run with DRA_KIND=1")
def test_a_driver_is_up_and_gone_again(capsys: pytest.CaptureFixture[str]) -> None:
    if tryout.home().exists():
        pytest.skip(f"{tryout.home()} is there: somebody uses the cluster")
    try:
        assert cli.main(["cluster", "up", "--driver=kubernetes-test-driver"]) == 0
        script = f"{capsys.readouterr().out}\nkubectl get resourceslices --output=name"
        listed = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True).stdout
        assert listed.count("test-driver.cdi.k8s.io") == 2
    finally:
        assert cli.main(["cluster", "down"]) == 0
    left = subprocess.run(
        ["docker", "ps", "--all", "--quiet", "--filter", "name=tryout"], capture_output=True, check=True
    )
    assert left.stdout == b""
    assert not tryout.home().exists()
