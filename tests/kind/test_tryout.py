"""A cluster to try a driver on by hand."""

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from conformance import cli
from conformance.cluster.kind import tryout
from conformance.cluster.kind.tryout import Tryout
from conformance.target.model import DriverSection
from conformance.up.ending import clusters
from conformance.up.place import names

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


@pytest.fixture(autouse=True)
def _state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


def test_deleting_a_cluster_that_was_never_made(tmp_path: Path) -> None:
    Tryout("default", tmp_path).delete()


def test_a_missing_engine_is_told_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr("shutil.which", lambda _: None)
    assert cli.main(["up", "--cluster=kind", "--background"]) == 6
    said = capsys.readouterr()
    assert "there is no command docker" in said.err
    assert (said.err.count("\n"), said.out) == (1, "")
    assert names() == []


def test_a_driver_without_a_section_install_is_a_usage_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "driver.yaml").write_text("drivers: [{name: gpu.example.com}]\nprocess: {command: [sh]}\n")
    assert cli.main(["up", "--cluster=kind", f"--driver={tmp_path}/driver.yaml"]) == 4
    assert "install" in capsys.readouterr().err
    assert names() == []


@pytest.mark.skipif(os.environ.get("DRA_KIND") != "1", reason="makes a cluster; run with DRA_KIND=1")
def test_drivers_are_up_and_gone_again(capsys: pytest.CaptureFixture[str]) -> None:
    up = ["up", "--cluster=kind", "--background", "--name=test"]
    try:
        assert cli.main([*up, "--driver=kubernetes-test-driver"]) == 0
        first = capsys.readouterr().out
        assert cli.main([*up, "--driver=reference"]) == 0
        assert capsys.readouterr().out == first
        script = f"{first}\nkubectl get resourceslices --output=name"
        listed = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True).stdout
        assert (listed.count("test-driver.cdi.k8s.io"), listed.count("gpu.example.com")) == (2, 2)
        ((known, state),) = clusters()
        assert (known.drivers, state) == (("test-driver.cdi.k8s.io", "gpu.example.com"), "up")
    finally:
        assert cli.main(["down", "--name=test"]) == 0
    left = subprocess.run(
        ["docker", "ps", "--all", "--quiet", "--filter", "name=dra-conformance-up-test"],
        capture_output=True,
        check=True,
    )
    assert left.stdout == b""
    assert names() == []
