"""The file of waivers: strict, with one sentence for each mistake, and a published schema."""

import json
import re
from datetime import date
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from conformance import cli
from conformance.catalogue import all_checks
from conformance.waivers.load import WaiverError, load, refuse_unknown
from conformance.waivers.model import SCHEMA_FILE, Waivers, schema_text
from tests.repository.sources import ROOT
from tests.waivers.files import QUIET, REPEAT, write

DAY = date(2026, 11, 30)


def read(folder: Path, text: str) -> Waivers:
    file = folder / "waivers.yaml"
    file.write_text(text)
    return load(file, "waivers.yaml", DAY)


def test_a_finding_and_who_answers_for_it(tmp_path: Path) -> None:
    waivers = load(write(tmp_path, REPEAT, QUIET), "waivers.yaml", DAY)
    first = waivers.findings[0]
    assert (first.check, first.requirement, first.expires) == ("preparation.repeat", "PREP-05", date(2999, 12, 31))
    assert str(first.waived) == "waived by gpu-team until 2999-12-31 (https://example.com/17): The firmware forgets."
    assert waivers.lines == (2, 9)


def test_the_history_gives_the_same_waivers_back(tmp_path: Path) -> None:
    waivers = load(write(tmp_path, REPEAT, {**QUIET, "observed": ["3"]}), "waivers.yaml", DAY)
    assert Waivers.of(json.loads(json.dumps(waivers.facts()))) == waivers


def test_a_file_without_findings_is_one(tmp_path: Path) -> None:
    assert read(tmp_path, "findings: []\n").findings == ()


def one(**changes: Any) -> str:
    kept = {key: value for key, value in {**REPEAT, **changes}.items() if value is not ...}
    return yaml.safe_dump({"findings": [kept]}, sort_keys=False)


MISTAKES = {
    "an unknown key": (
        one(expires=..., expire="2027-02-28"),
        "waivers.yaml:8: unknown key findings[0].expire; did you mean findings[0].expires?",
    ),
    "no owner": (one(owner=...), "waivers.yaml:2: findings[0].owner is missing; add it"),
    "an empty owner": (
        one(owner=" "),
        "waivers.yaml:5: findings[0].owner is the text '', but a text that is not empty is wanted",
    ),
    "a number": (one(issue=17), "findings[0].issue is the number 17, but a text is wanted; put it in quotes"),
    "no day": (one(expires="soon"), "findings[0].expires is the text 'soon', but a day such as 2027-02-28 is wanted"),
    "a day that is none": (one(expires="2027-02-30"), "findings[0].expires is the text '2027-02-30', but a day such"),
    "a time": (one(expires=1800000000), "findings[0].expires is the number 1800000000, but a day such as"),
    "nothing observed": (one(observed=[]), "findings[0].observed is an empty list, but at least 1 entry is wanted"),
    "a check and no finding": (one(expected=..., requirement=...), "findings[0].expected is missing; add it"),
    "a driver file": ("drivers: []\n", "waivers.yaml:1: unknown key drivers; known here are findings"),
    "a list": ("- check: a.b\n", "waivers.yaml: is no map; begin with `findings:`"),
    "nothing": ("", "waivers.yaml: is no map; begin with `findings:`"),
    "no YAML": ("findings: [\n", "waivers.yaml:2: is not YAML: "),
    "a key twice": ("findings: []\nfindings: []\n", "waivers.yaml:2: is not YAML: the key 'findings' is given twice"),
    "a finding twice": (
        yaml.safe_dump({"findings": [REPEAT, {**REPEAT, "owner": "others"}]}, sort_keys=False),
        "waivers.yaml:9: findings[1] is the finding of line 2 once more; remove one of both",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_told_in_a_sentence(mistake: str, tmp_path: Path) -> None:
    text, sentence = MISTAKES[mistake]
    with pytest.raises(WaiverError) as error:
        read(tmp_path, text)
    assert sentence in str(error.value)
    assert all(line.startswith("waivers.yaml:") for line in str(error.value).splitlines())


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(WaiverError, match=r"^--waivers=w.yaml: cannot be read \(No such file or directory\); give"):
        load(tmp_path / "w.yaml", "w.yaml", DAY)


def many(number: int, more: str = "") -> str:
    """Findings as short as they can be: one MiB has some nine thousand of them."""
    row = "- {{check: a.b, requirement: A-1, expected: e{0}, owner: o, reason: r, issue: i, expires: 2027-02-28}}\n"
    return f"findings:\n{''.join(row.format(each) for each in range(number))}{more}"


def test_a_file_may_have_as_many_findings_as_its_length_allows(tmp_path: Path) -> None:
    assert len(read(tmp_path, many(9000)).findings) == 9000


def test_of_thousands_of_findings_the_one_that_is_wrong_is_named(tmp_path: Path) -> None:
    """And by its line, as in a short file."""
    with pytest.raises(WaiverError, match=r"^waivers.yaml:7002: findings\[7000\].check is missing; add it$"):
        read(
            tmp_path,
            many(7000, "- {requirement: A-1, expected: x, owner: o, reason: r, issue: i, expires: 2027-02-28}\n"),
        )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (many(12_000), "waivers.yaml: is longer than 1 MiB; let one waiver with `*` cover several findings"),
        (
            f"findings: &a [{'1, ' * 400}1]\nx: &b [{'*a, ' * 400}1]\n",
            "waivers.yaml:2: is not YAML: its aliases make it",
        ),
    ],
)
def test_what_is_too_much_is_told_by_what_makes_it_so(text: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(WaiverError) as error:
        read(tmp_path, text)
    assert str(error.value).startswith(sentence)


def test_checks_and_obligations_must_be_there(tmp_path: Path) -> None:
    known = {"preparation.repeats": ["PREP-05"], "publishing.quiet": ["RS-01"]}
    waivers = load(write(tmp_path, REPEAT, QUIET), "waivers.yaml", DAY)
    with pytest.raises(WaiverError) as error:
        refuse_unknown(waivers, known)
    assert str(error.value).splitlines() == [
        "waivers.yaml:2: findings[0].check: there is no check preparation.repeat; did you mean preparation.repeats?",
        "waivers.yaml:9: findings[1].requirement: publishing.quiet judges RS-01, and not RS-11",
    ]


def test_secrets_in_it_are_redacted(tmp_path: Path) -> None:
    text = one(reason="It needs password=hunter2hunter2 to work.")
    assert "hunter2" not in str(read(tmp_path, text))


def test_the_published_schema_is_that_of_the_model(capsys: pytest.CaptureFixture[str]) -> None:
    assert SCHEMA_FILE.read_text(encoding="utf-8") == schema_text(), (
        "write it anew with SCHEMA_FILE.write_text(schema_text())"
    )
    assert cli.main(["schema", "waivers"]) == 0
    assert capsys.readouterr().out == schema_text()


def test_the_schema_takes_what_the_suite_takes() -> None:
    schema = json.loads(schema_text())
    jsonschema.validate({"findings": [REPEAT, {**QUIET, "observed": ["3"]}]}, schema)
    for wrong in ({"findings": [{**REPEAT, "expire": "x"}]}, {"findings": [{"check": "a.b"}]}, {}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema)


def test_the_example_of_the_document_is_one(tmp_path: Path) -> None:
    (example,) = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs/waivers.md").read_text(), re.DOTALL)
    waivers = read(tmp_path, example)
    refuse_unknown(waivers, {id: entry.check.covers for id, entry in all_checks().items()})
    assert len(waivers.findings) == 1
