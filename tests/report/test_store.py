"""A report's folder: written whole, read back, and one sentence for what is wrong with it."""

import json
import os
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from conformance.report import Report, ReportError, load, report_schema, write
from conformance.report.store import FILES
from tests.report import samples

ALL = [samples.good, samples.bad, samples.interrupted, samples.empty, samples.hostile, samples.long]


@pytest.mark.parametrize("sample", ALL, ids=lambda sample: sample.__name__)
def test_a_report_is_read_back_as_it_was(sample: Any, tmp_path: Path) -> None:
    report = sample()
    write(report, tmp_path / "new" / "folder")
    assert load(tmp_path / "new" / "folder") == report
    assert load(tmp_path / "new" / "folder" / "report.json") == report
    assert {path.name for path in (tmp_path / "new" / "folder").iterdir()} == {*FILES}


@pytest.mark.parametrize("sample", ALL, ids=lambda sample: sample.__name__)
def test_report_json_fits_the_published_schema(sample: Any, tmp_path: Path) -> None:
    write(sample(), tmp_path)
    jsonschema.validate(json.loads((tmp_path / "report.json").read_text()), report_schema())


def test_the_stored_schema_is_the_generated_one() -> None:
    stored = files("conformance.report").joinpath("schema", "report-v1.schema.json").read_text(encoding="utf-8")
    assert json.loads(stored) == report_schema(), (
        "run: dra-conformance schema report > conformance/report/schema/report-v1.schema.json"
    )


def test_report_json_changes_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    replace = os.replace

    def note(source: str, target: Path) -> None:
        order.append(target.name)
        replace(source, target)

    monkeypatch.setattr(os, "replace", note)
    write(samples.good(), tmp_path)
    assert order == ["index.html", "junit.xml", "ctrf.json", "report.json"]


def test_a_report_that_cannot_be_rendered_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(samples.good(), tmp_path)
    monkeypatch.setattr("conformance.report.junit.junit", lambda report: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write(samples.bad(), tmp_path)
    assert load(tmp_path) == samples.good()
    assert {path.name for path in tmp_path.iterdir()} == {*FILES}


def _changed(**changes: Any) -> str:
    return json.dumps(json.loads(samples.good().model_dump_json()) | changes)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "is not JSON"),
        ("[]", "is not a report, as it has no schema_version"),
        ("{}", "is not a report, as it has no schema_version"),
        (_changed(schema_version=2), "has schema version 2, and this dra-conformance reads 1"),
        (_changed(outcome="splendid"), "is not a report: outcome: input should be"),
        (_changed(extra=1), "is not a report: extra: extra inputs are not permitted"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(text: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    file.write_text(text)
    with pytest.raises(ReportError) as raised:
        load(file)
    said = str(raised.value)
    assert said.startswith(f"{file}: ")
    assert words in said
    assert "\n" not in said


def test_a_missing_report_is_said(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match=r"report\.json: cannot be read \(No such file or directory\)"):
        load(tmp_path)


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ReportError, match=r"the report cannot be written \(Not a directory\)"):
        write(samples.good(), tmp_path / "file" / "folder")


def test_the_counts_and_the_obligations_are_in_the_file(tmp_path: Path) -> None:
    write(samples.bad(), tmp_path)
    value = json.loads((tmp_path / "report.json").read_text())
    assert (value["counts"]["PASS"], value["counts"]["FAIL"]) == (4, 1)
    assert {row["id"] for row in value["requirements"]} == {name for row in value["checks"] for name in row["covers"]}


def test_secrets_do_not_reach_the_files(tmp_path: Path) -> None:
    secret = "Bearer abcdefghijklmnop"
    result = samples.broken_check().model_dump() | {"message": f"401 with {secret}", "reproduce": secret}
    report = Report.build(**samples.good().model_dump(exclude={"checks", "counts", "requirements"}), checks=[result])
    write(report, tmp_path)
    assert [path.name for path in tmp_path.iterdir() if "abcdefghijklmnop" in path.read_text()] == []
