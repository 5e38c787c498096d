"""Files of a run that was interrupted, damaged or of somebody else: one sentence says which, and nothing is lost."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from conformance.report.verify import verify
from tests.session.interrupted import content, interrupted
from tests.session.project import Project


def a_folder(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.mkdir()
    (path / "mine").touch()


def of_text(path: Path) -> None:
    path.write_text("no JSON\n")


def binary(path: Path) -> None:
    path.write_bytes(b"\xff\xfe\x00\n")


def another(path: Path) -> None:
    path.write_text('{"seq": 0, "time": 1.0, "kind": 3}\n')


def nested(path: Path) -> None:
    path.write_text('{"seq": 0, "time": 1.0, ' + "[" * 100_000 + "}\n")


def a_list(path: Path) -> None:
    path.write_text("[1]\n")


def empty(path: Path) -> None:
    path.write_text("")


def of_wrong_types(path: Path) -> None:
    """Each value is there, and some are of another type."""
    value = json.loads(path.read_text().splitlines()[0])
    if "selected" in value:
        value["selected"] = 3
    elif "facts" in value:
        value["facts"]["features_seen"] = 3
    else:
        value["id"] = ["a"]
    path.write_text(json.dumps(value) + "\n")


DAMAGE = [a_folder, of_text, binary, another, nested, a_list]
CASES = [
    *[(name, how) for name in (".begun/run.json", ".begun/results.jsonl", "history.jsonl") for how in DAMAGE],
    *[("history-gw1.jsonl", how) for how in DAMAGE if how is not a_list],
    *[(name, of_wrong_types) for name in (".begun/run.json", ".begun/results.jsonl")],
    (".begun/kept.json", of_text),
    (".begun/kept.json", a_list),
    (".begun/run.json", empty),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a run that was interrupted."""
    return interrupted(Project(tmp_path_factory.mktemp("interrupted"))).folder


@pytest.fixture
def begun(folder: Path, tmp_path: Path) -> Project:
    """A copy of it."""
    shutil.rmtree(tmp_path)
    project = Project(shutil.copytree(folder, tmp_path, ignore=shutil.ignore_patterns("suite")))
    shutil.copytree(folder / "suite", tmp_path / "suite", dirs_exist_ok=True)
    return project


@pytest.mark.parametrize(("name", "damage"), CASES, ids=[f"{name} {how.__name__}" for name, how in CASES])
def test_is_told_in_one_sentence(begun: Project, name: str, damage: Callable[[Path], None]) -> None:
    damage(begun.report_dir / name)
    before = content(begun.report_dir)
    refused = begun.run("--resume")
    said = refused.stdout + refused.stderr
    assert refused.returncode == 4, said
    assert "Traceback" not in said
    (sentence,) = [line for line in said.splitlines() if "ERROR" in line]
    assert f"/{name}:" in sentence
    assert "leave --resume out to begin anew" in sentence
    assert content(begun.report_dir) == before


@pytest.mark.parametrize(
    ("name", "damage"), [(".begun/run.json", binary), ("history-gw1.jsonl", a_folder), ("history.jsonl", nested)]
)
def test_another_run_can_begin_there(begun: Project, name: str, damage: Callable[[Path], None]) -> None:
    damage(begun.report_dir / name)
    assert begun.run().returncode == 0
    assert verify(begun.report_dir).problems == []


def test_a_file_where_a_folder_was(begun: Project) -> None:
    shutil.rmtree(begun.report_dir / ".begun")
    (begun.report_dir / ".begun").touch()
    assert begun.run("--resume").returncode == 4
    assert begun.run().returncode == 0
    assert not (begun.report_dir / ".begun").exists()


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--check=registration.register"], "the options are not what they were"),
        (["-k", "registers"], "1 checks are selected, and other ones (2) when the run began"),
        (["nowhere.py"], "nowhere.py"),
        (["--conformance-timeout=-1"], "--conformance-timeout"),
    ],
)
def test_a_command_that_is_refused_changes_nothing(begun: Project, arguments: list[str], why: str) -> None:
    before, status = content(begun.report_dir), verify(begun.report_dir).status
    refused = begun.run("--resume", *arguments)
    assert refused.returncode == 4, refused.stdout + refused.stderr
    assert why in refused.stdout + refused.stderr
    assert content(begun.report_dir) == before
    assert verify(begun.report_dir).status == status == 2
    assert begun.run("--resume").returncode == 0


def test_nor_with_workers(begun: Project) -> None:
    before = content(begun.report_dir)
    assert begun.run_apart("--resume", "-n2", "-k", "registers").returncode == 4
    assert content(begun.report_dir) == before
