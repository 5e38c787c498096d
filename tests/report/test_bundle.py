"""The bundle: all of the evidence, the same bytes again, no secret, and none of what cannot be relied on."""

import hashlib
import json
import os
import sys
import tarfile
from collections.abc import Mapping
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import yaml

from conformance import cli
from conformance.report import load
from conformance.report.bundle import bundle
from conformance.report.bundle.archive import root_of
from conformance.report.bundle.readme import readme
from conformance.report.bundle.rows import behaviour_rows
from conformance.report.model import Outcome
from conformance.report.verify import verify
from conformance.verdict import Verdict
from tests.report import samples
from tests.report.recorded import bad_run, copied, edit, good_run

__all__ = ["bad_run", "good_run"]
ALWAYS = {"README.md", "PRODUCT.yaml", "SHA256SUMS", "report.json", "junit.xml", "index.html", "history.jsonl"}
SECRET = "hunter2-hunter2-hunter2"


def bundled(folder: Path, output: Path) -> Mapping[str, bytes]:
    """The files of a bundle, by their paths below its one folder."""
    bundle(load(folder), folder, output)
    found = {}
    with tarfile.open(output) as tar:
        for row in tar.getmembers():
            root, _, name = row.name.partition("/")
            found[name] = (tar.extractfile(row) or pytest.fail(f"{row.name} is no file")).read()
    assert root.startswith("dra-conformance-")
    return found


def test_all_that_is_asked_for_is_in_it(good_run: Path, tmp_path: Path) -> None:
    files = bundled(good_run, tmp_path / "evidence.tar.gz")
    assert files.keys() >= ALWAYS | {"run.log", "versions.json"}
    product = yaml.safe_load(files["PRODUCT.yaml"])
    assert product["metadata"]["outcome"] == "conformant"
    assert product["metadata"]["vendorName"] == "[Vendor Name]"
    keys = {"id", "description", "level", "status", "evidence", "notes"}
    assert all(row.keys() == keys for row in product["spec"]["driverContract"])
    assert {row["status"] for row in product["spec"]["driverContract"]} == {"Implemented"}
    assert ET.fromstring(files["junit.xml"]).tag == "testsuites"
    versions = json.loads(files["versions.json"])
    assert versions["python"] == ".".join(map(str, sys.version_info[:3]))
    assert versions["packages"]["pytest"] == pytest.__version__
    log = files["run.log"].decode()
    assert "(MUST) holds: " in log
    assert "Conformant to" in log


def test_sums_are_right_and_leave_out_what_is_to_be_filled_in(good_run: Path, tmp_path: Path) -> None:
    files = bundled(good_run, tmp_path / "evidence.tar.gz")
    lines = [line.partition("  ") for line in files["SHA256SUMS"].decode().splitlines()]
    sums = {name: digest for digest, _, name in lines}
    assert sums == {
        name: hashlib.sha256(data).hexdigest()
        for name, data in files.items()
        if name not in ("SHA256SUMS", "PRODUCT.yaml")
    }


def test_what_is_unpacked_is_sound(good_run: Path, tmp_path: Path) -> None:
    bundled(good_run, tmp_path / "evidence.tar.gz")
    with tarfile.open(tmp_path / "evidence.tar.gz") as tar:
        tar.extractall(tmp_path, filter="data")
    (folder,) = tmp_path.glob("dra-conformance-*")
    assert verify(folder).problems == []


def test_the_same_report_gives_the_same_bytes(good_run: Path, tmp_path: Path) -> None:
    bundled(good_run, tmp_path / "a.tar.gz")
    moved = copied(good_run, tmp_path)
    for path in moved.rglob("*"):
        os.utime(path, (1, 1))
    bundled(moved, tmp_path / "elsewhere" / "b.tar.gz")
    assert (tmp_path / "a.tar.gz").read_bytes() == (tmp_path / "elsewhere" / "b.tar.gz").read_bytes()


def test_a_failing_run_is_welcome_and_marked(bad_run: Path, tmp_path: Path) -> None:
    files = bundled(bad_run, tmp_path / "evidence.tar.gz")
    text, product = files["README.md"].decode(), yaml.safe_load(files["PRODUCT.yaml"])
    assert text.splitlines()[2] == "**FAILING: a MUST is broken.**"
    assert product["metadata"]["outcome"] == "not-conformant"
    assert "Not Implemented" in {row["status"] for row in product["spec"]["driverContract"]}
    assert "--check=" in text, "how each finding is seen again"


@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if outcome is not Outcome.CONFORMANT])
def test_every_outcome_but_one_is_marked(outcome: Outcome) -> None:
    text = readme(samples.report(outcome), "root", [])
    assert text.splitlines()[2].startswith(("**PARTIAL:", "**FAILING:"))


def test_an_edited_report_gives_none(good_run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = copied(good_run, tmp_path)
    edit(folder, lambda report: report["checks"][0].update(verdict="WARN"))
    assert cli.main(["bundle", str(folder), "-o", str(tmp_path / "evidence.tar.gz")]) == 8
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1
    assert "so it cannot be relied on; see dra-conformance verify " in said[0]
    assert not (tmp_path / "evidence.tar.gz").exists()


def test_no_report_gives_none(tmp_path: Path) -> None:
    assert cli.main(["bundle", str(tmp_path), "-o", str(tmp_path / "evidence.tar.gz")]) == 4


def test_a_place_that_cannot_be_written_is_told(bad_run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["bundle", str(bad_run), "-o", "/proc/none/evidence.tar.gz"]) == 4
    assert "so no bundle is made; give another file with --output" in capsys.readouterr().err


def test_planted_secrets_and_files_of_others_stay_out(good_run: Path, tmp_path: Path) -> None:
    folder = copied(good_run, tmp_path)
    (folder / "kubeconfig").write_text(f"users: [{{name: a, user: {{token: {SECRET}}}}}]")
    (folder / "logs").mkdir(exist_ok=True)
    (folder / "logs" / "driver.log").write_text(f"started with --token={SECRET}\nAPI_KEY={SECRET}\n")
    (folder / "evidence").mkdir(exist_ok=True)
    (folder / "evidence" / "away").symlink_to(folder / "kubeconfig")
    (folder / "evidence" / "pods.json").write_text(json.dumps({"env": {"PASSWORD": SECRET}}))
    files = bundled(folder, tmp_path / "evidence.tar.gz")
    assert "logs/driver.log" in files
    assert not [name for name, data in files.items() if SECRET.encode() in data]
    assert not files.keys() & {"kubeconfig", "evidence/away"}


def test_hostile_names_stay_one_folder_and_no_markdown() -> None:
    report = samples.hostile()
    assert set(root_of(report)) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._")


def test_what_was_not_judged_has_no_status() -> None:
    checks = [samples.check("registration.known", Verdict.INCONCLUSIVE, "T.", [], message="no log")]
    report = samples.report(Outcome.INCONCLUSIVE, checks, profiles=["kep-5970"])
    rows = list(behaviour_rows(report))
    assert [row.status for row in rows] == [""] * 7
    assert rows[0].notes == "no log"
    assert rows[1].notes.startswith("NOT_RUN: ")


def test_the_command_makes_it_where_it_is_run(
    bad_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A failing run is no failure of this command."""
    monkeypatch.chdir(tmp_path)
    assert cli.main(["bundle", str(bad_run)]) == 0
    assert capsys.readouterr().out == "evidence.tar.gz\n"
    assert tarfile.is_tarfile(tmp_path / "evidence.tar.gz")
