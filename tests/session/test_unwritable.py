"""A report's folder that cannot be written to any more: one sentence says so, and the run can be gone on with."""

import errno
import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from conformance.cluster.smalldisk import small_disk, unmount
from conformance.history import History
from conformance.report.model import Outcome
from conformance.report.store import ReportError, write
from conformance.report.verify import verify
from conformance.verdict import NotRun
from tests.session.interrupted import content
from tests.session.project import Project

SUITE = """
import os, subprocess
from contextlib import suppress
from pathlib import Path

def first(how):
    "Takes the disk away the first time, as the test wants it."
    report_dir, asked = Path("conformance-report"), os.environ["HOW"]
    if asked != how or Path("again").exists():
        return
    Path("again").touch()
    if how == "full":
        with (report_dir / "filler").open("wb", buffering=0) as file, suppress(OSError):
            while True:
                file.write(bytes(4096))
    elif how == "read-only":
        place = str(report_dir.resolve())
        subprocess.run(["mount", "--bind", place, place], check=True)
        subprocess.run(["mount", "-o", "remount,bind,ro", place], check=True)
    else:
        worker = os.environ.get("PYTEST_XDIST_WORKER")
        (report_dir / ".begun" / f"results{f'-{worker}' if worker else ''}.jsonl").symlink_to("/dev/full")

@check(id="registration.registers", covers=["REG-01"])
def test_registers(expect, driver, history):
    "It registers, and the disk is full or cannot be written to."
    for how in ("full", "read-only", "link"):
        first(how)
    history.record("vain", text="x" * 9000)
    expect("REG-01").true(True, "it does")

@check(id="preparation.one_claim", covers=["PREP-01"])
def test_one_claim(expect, driver):
    "A claim is prepared."
    expect("PREP-01").true(True, "the answer has one entry")
"""


@pytest.fixture
def disk(project: Project) -> Iterator[Path]:
    """The report's folder on a small disk."""
    project.report_dir.mkdir()
    with ExitStack() as stack:
        try:
            stack.enter_context(small_disk(project.report_dir, 2048))
        except NotRun as error:
            pytest.skip(str(error))
        yield project.report_dir


def ended_and_gone_on_with(project: Project, *workers: str) -> None:
    project.suite(SUITE)
    ended = project.run_apart(*workers)
    said = ended.stdout + ended.stderr
    assert ended.returncode == 3, said
    assert "Traceback" not in said, said
    assert "INTERNALERROR" not in said, said
    assert f"{project.report_dir}: the report cannot be written (" in said
    assert verify(project.report_dir).status != 0
    if project.env["HOW"] == "full":
        (project.report_dir / "filler").unlink()
    elif project.env["HOW"] == "read-only":
        unmount(project.report_dir)
    else:
        for link in (project.report_dir / ".begun").glob("results*"):
            link.unlink()
    resumed = project.run_apart("--resume", *workers)
    assert resumed.returncode == 0, resumed.stdout + resumed.stderr
    assert len(project.report().checks) == 2
    assert verify(project.report_dir).problems == []


@pytest.mark.parametrize("workers", [[], ["-n2"]], ids=str)
@pytest.mark.parametrize("how", ["full", "read-only"])
@pytest.mark.usefixtures("disk")
def test_while_the_run_goes_on(project: Project, how: str, workers: list[str]) -> None:
    project.env = {"HOW": how}
    ended_and_gone_on_with(project, *workers)


@pytest.mark.parametrize("workers", [[], ["-n2"]], ids=str)
def test_a_result_that_cannot_be_kept(project: Project, workers: list[str]) -> None:
    project.env = {"HOW": "link"}
    ended_and_gone_on_with(project, *workers)
    assert project.report().outcome in (Outcome.SELECTION, Outcome.CONFORMANT)


def test_before_the_run_has_begun(project: Project, disk: Path) -> None:
    project.env = {"HOW": "never"}
    project.suite(SUITE)
    assert project.run().returncode == 0
    with (disk / "filler").open("wb", buffering=0) as file, pytest.raises(OSError, match="No space"):
        while True:
            file.write(bytes(4096))
    before = content(disk)
    refused = project.run()
    said = refused.stdout + refused.stderr
    assert refused.returncode == 4, said
    assert f"--report-dir={disk}: cannot be written (No space left on device)" in said
    assert "Traceback" not in said
    assert content(disk) == before


def test_a_report_is_replaced_whole_or_not_at_all(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.env = {"HOW": "never"}
    project.suite(SUITE)
    assert project.run().returncode == 0
    report, before = project.report(), content(project.report_dir)
    report.reason = "another"
    fsync = os.fsync
    for number in range(4):
        left = iter(range(number))

        def full(file: int, left: Iterator[int] = left) -> None:
            if next(left, None) is None:
                raise OSError(errno.ENOSPC, "No space left on device")
            fsync(file)

        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(ReportError, match="cannot be written"):
            write(report, project.report_dir)
        assert content(project.report_dir) == before


def test_a_history_that_cannot_be_written_is_read_in_memory(tmp_path: Path) -> None:
    (tmp_path / "history.jsonl").symlink_to("/dev/full")
    history = History(tmp_path / "history.jsonl")
    for number in range(3):
        history.record("leak", number=number)
    assert [event["number"] for event in history.events("leak")] == [0, 1, 2]
    with pytest.raises(OSError, match="No space"):
        history.raise_unwritten()
    history.close()


def test_what_a_worker_has_collected_cannot_be_kept(project: Project) -> None:
    project.env = {"HOW": "never"}
    project.suite(SUITE)
    project.file(
        "fills.py",
        """
        import os
        from pathlib import Path

        def pytest_collection():
            if "PYTEST_XDIST_WORKER" in os.environ:
                folder = Path("conformance-report", ".workers")
                folder.mkdir(exist_ok=True)
                (folder / (os.environ["PYTEST_XDIST_WORKER"] + ".new")).symlink_to("/dev/full")
        """,
    )
    ended = project.run_apart("-pfills", "-n1")
    said = ended.stdout + ended.stderr
    assert ended.returncode == 3, said
    assert "the report cannot be written (" in " ".join(said.split())
    assert "Traceback" not in said
    assert "INTERNALERROR" not in said


def test_a_folder_that_is_gone(project: Project) -> None:
    project.env = {"HOW": "never"}
    project.suite(SUITE)
    project.file(
        "gone.py",
        """
        import shutil

        def pytest_collection_finish():
            shutil.rmtree("conformance-report")
    """,
    )
    refused = project.run_apart("-pgone")
    said = refused.stdout + refused.stderr
    assert "Traceback" not in said, said
    assert "INTERNALERROR" not in said, said
    assert refused.returncode == 4, said
