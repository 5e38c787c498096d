"""The examples of gates let a good driver through and stop a wrong one, and keep the report of both."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from conformance.needed_images import needed
from conformance.report import load
from conformance.target import Target
from tests.gates import tools
from tests.gates.jobs import SYSTEMS, Ended, Job
from tests.mutants import on_kind
from tests.mutants.mutant import all_mutants
from tests.variants import write_driver_file

GOOD, WRONG = "reference_driver.gpu", "tests.mutants.m47_unknown_unprepare_fails"
"""The wrong one fails when it is asked to unprepare a claim that it does not know."""
ONE = "--check=unpreparing.unknown_claim"


def project(folder: Path, module: str) -> Path:
    """A clean folder with a driver file and nothing else."""
    folder.mkdir()
    write_driver_file(folder, module, {}).rename(folder / "my-driver.yaml")
    return folder


def junit(ended: Ended) -> ET.Element:
    """The JUnit file, once it is seen that the report is whole beside it."""
    assert {path.name for path in ended.report.iterdir()} >= {"index.html", "report.json", "history.jsonl"}, ended.said
    assert load(ended.report / "report.json").exit_status == ended.status
    return ET.parse(ended.junit).getroot()


def images(ended: Ended) -> set[str]:
    """Images of the pods of a run, but for those of the control plane, which are in the image of the nodes."""
    lines = (ended.report / "history.jsonl").read_text(encoding="utf-8").splitlines()
    pods = [row["object"] for row in map(json.loads, lines) if row["kind"] == "api" and row["resource"] == "pods"]
    apart = [pod["spec"] for pod in pods if pod["metadata"]["namespace"] != "kube-system"]
    return {row["image"] for spec in apart for row in [*spec["containers"], *spec.get("initContainers", ())]}


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_wrong_driver_is_stopped(system: str, tmp_path: Path) -> None:
    ended = SYSTEMS[system](Job(project(tmp_path / "clean", WRONG), arguments=[ONE]))
    assert ended.status == 1, ended.said
    (failure,) = junit(ended).iter("failure")
    assert "UNP-03" in (failure.text or "") + failure.get("message", "")
    assert "Exit status  1" in ended.said


def test_a_good_driver_gets_through(tmp_path: Path) -> None:
    ended = SYSTEMS["github"](Job(project(tmp_path / "clean", GOOD), arguments=[ONE]))
    assert ended.status == 0, ended.said
    assert list(junit(ended).iter("failure")) == []


def test_what_the_user_got_wrong_stops_the_job_too(tmp_path: Path) -> None:
    (tmp_path / "clean").mkdir()
    ended = SYSTEMS["prow"](Job(tmp_path / "clean"))
    assert ended.status == 4
    assert "my-driver.yaml" in ended.said


def test_all_checks_of_a_good_driver(tmp_path: Path) -> None:
    tools.wanted()
    ended = SYSTEMS["github"](Job(project(tmp_path / "clean", GOOD)))
    assert ended.status == 0, ended.said
    assert load(ended.report / "report.json").outcome == "conformant"
    assert list(junit(ended).iter("failure")) == []


@pytest.mark.parametrize(
    ("system", "driver", "status"),
    [*((name, "good", 0) for name in SYSTEMS), ("github", "wrong", 1), ("prow", "wrong", 1)],
)
def test_on_a_cluster_of_kind(system: str, driver: str, status: int, nodes: str, kept: str, tmp_path: Path) -> None:
    """On one cluster after the other; its nodes are of an image that is made here, as none can be pulled."""
    folder = tmp_path / "clean"
    if driver == "good":
        file = project(folder, GOOD) / "my-driver.yaml"
    else:
        folder.mkdir()
        file = on_kind.write_driver_file(next(m for m in all_mutants() if m.module == WRONG), folder)
    ended = SYSTEMS[system](Job(folder, file.name, "kind", [ONE, kept], nodes))
    assert ended.status == status, ended.said
    report = load(ended.report / "report.json")
    assert (report.exit_status, report.cluster["kind"]) == (status, "kind")
    assert len(list(ET.parse(ended.junit).iter("failure"))) == status
    listed = {row.image for row in needed("kind", Target.load(str(file)), "", "")}
    assert {image for image in images(ended) if "/pause:" not in image} <= listed  # pause is in the image of the nodes
