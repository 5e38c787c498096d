"""`index add` makes a submission of a run, and takes out of it whose home it was made in."""

import gzip
import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from conformance.index.adding import AddError, add, repeated
from conformance.index.checking import check
from conformance.index.entry import Standing
from conformance.index.metadata import Metadata, read
from conformance.report.verify import verify
from conformance.verdict import Verdict
from tests.index.conftest import SUITE, WHO, Submit
from tests.report import samples
from tests.report.recorded import copied, edit, run

HOME = "/home/alice/drivers/gpu"
BROKEN_AT_HOME = f"""
@check(id="preparation.one_claim", covers=["PREP-01"])
def test_one_claim(expect, driver):
    "A claim is prepared."
    expect("PREP-01").equal({HOME!r} * 1000, "", "the answer has no path")
"""


def test_a_submission_is_a_whole_run(submit: Submit, bad_run: Path, index: Path, tmp_path: Path) -> None:
    entry = submit(bad_run)
    files = sorted(path.name for path in entry.place.folder.iterdir())
    assert files == ["history.jsonl.gz", "metadata.yaml", "report.json"]
    (tmp_path / "history.jsonl").write_bytes(gzip.decompress((entry.place.folder / "history.jsonl.gz").read_bytes()))
    shutil.copy(entry.place.folder / "report.json", tmp_path)
    assert verify(tmp_path).status == 1
    assert read(entry.place.folder / "metadata.yaml") == (WHO, [])


def test_the_same_run_is_packed_into_the_same_bytes(good_run: Path, tmp_path: Path) -> None:
    one, other = (add(good_run, tmp_path / name, WHO, SUITE) for name in "ab")
    for name in ("report.json", "history.jsonl.gz", "metadata.yaml"):
        assert (one.place.folder / name).read_bytes() == (other.place.folder / name).read_bytes()


def test_names_of_home_folders_are_taken_out(tmp_path: Path, index: Path) -> None:
    """Also of texts that are so long that the history has only their beginning; the report stays sound."""
    folder = run(tmp_path, BROKEN_AT_HOME, status=1)
    edit(folder, lambda value: value["driver"].update(file=f"{HOME}/driver.yaml"))
    entry = add(folder, index, WHO, SUITE)
    assert entry.standing is Standing.NOT_CONFORMANT
    assert entry.report.driver.file == "/home/xxxxx/drivers/gpu/driver.yaml"
    for name in ("report.json", "history.jsonl.gz"):
        content = (entry.place.folder / name).read_bytes()
        assert b"alice" not in (gzip.decompress(content) if name.endswith("gz") else content)


@pytest.fixture
def edited(bad_run: Path, tmp_path: Path) -> Path:
    """A run whose report somebody has changed by hand."""
    return edit(copied(bad_run, tmp_path), lambda value: value["counts"].update(FAIL=0), seal=False)


def test_what_is_not_sound_is_not_added(edited: Path, index: Path) -> None:
    with pytest.raises(AddError, match="was changed after its run"):
        add(edited, index, WHO, SUITE)
    assert list((index / "submissions").iterdir()) == []


def test_what_cannot_be_shown_leaves_nothing_behind(bad_run: Path, index: Path) -> None:
    with pytest.raises(AddError, match=r"metadata.yaml:3: homepage is no address") as error:
        add(bad_run, index, Metadata("Example", "make", "example.com", "1"), SUITE)
    assert error.value.unsound
    assert check(index, SUITE).entries == []


def test_nothing_is_replaced(submit: Submit, bad_run: Path) -> None:
    entry = submit(bad_run)
    with pytest.raises(AddError, match=f"{entry.place.run}: is there already; remove it to replace it") as error:
        submit(bad_run)
    assert not error.value.unsound


@pytest.fixture
def versioned(bad_run: Path, tmp_path: Path) -> Path:
    """A run of which the report says the version of the driver."""
    return edit(copied(bad_run, tmp_path), lambda value: value["driver"].update(version="2.1.0"))


def test_a_version_that_the_report_does_not_have_is_refused(versioned: Path, index: Path) -> None:
    with pytest.raises(AddError, match=r"^version 9\.9\.9 of the driver was given, and the report is of 2\.1\.0;"):
        add(versioned, index, replace(WHO, version="9.9.9"), SUITE)
    assert add(versioned, index, replace(WHO, version="2.1.0"), SUITE).place.version == "2.1.0"


def settings(**values: Any) -> str:
    first = samples.check("a.b", Verdict.PASS, "T.", [], reproduce="dra-conformance run --driver='a b' --check=a.b")
    return repeated(samples.report(checks=[first], settings=values, profiles=["core"]))


def test_how_a_run_is_repeated() -> None:
    assert settings(profiles=["core", "health"]) == "dra-conformance run '--driver=a b'"
    assert settings(profiles=["core"]) == "dra-conformance run '--driver=a b' --conformance-profile=core"
    assert settings(checks=["x.y"]) == "dra-conformance run '--driver=a b' --check=x.y"


def test_metadata_is_what_was_given(submit: Submit, bad_run: Path) -> None:
    folder = submit(bad_run).place.folder
    assert json.loads((folder / "report.json").read_text())["driver"]["name"] == "fake.example.com"
    assert (folder / "metadata.yaml").read_text() == (
        "organisation: Example Ltd\nreproduce: make conformance\nhomepage: https://example.com/driver\nversion: 1.2.0\n"
    )
