"""What is refused: each thing that somebody may do to a submission is told, with its place, in one sentence."""

import gzip
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conformance.index import unpacking
from conformance.index.adding import add
from conformance.index.checking import check
from conformance.index.entry import Entry, Standing
from conformance.report.footer import file_digest, report_digest
from tests.index.conftest import SUITE, WHO, Submit
from tests.report.recorded import result

Value = dict[str, Any]


def problems(index: Path) -> list[str]:
    """What is wrong with an index; none of it in more than a line."""
    checked = check(index, SUITE)
    assert all("\n" not in problem for problem in checked.problems)
    return list(checked.problems)


def only(index: Path) -> str:
    """The only thing that is wrong, without the folder that all submissions of these tests are in."""
    (problem,) = problems(index)
    return problem.removeprefix("submissions/fake.example.com/1.2.0/")


@pytest.fixture(scope="module")
def submitted(tmp_path_factory: pytest.TempPathFactory, bad_run: Path) -> Entry:
    """A submission that is all right."""
    return add(bad_run, tmp_path_factory.mktemp("submitted"), WHO, SUITE)


@pytest.fixture
def folder(index: Path, submitted: Entry) -> Path:
    """The folder of a copy of it, in an index of its own."""
    return Path(shutil.copytree(submitted.place.folder, index / submitted.place.name))


def rewrite(folder: Path, change: Callable[[Value], object], *, seal: bool = True, line: str = "") -> None:
    """Change the report, or add to the history, and seal it again, as somebody would who knows how."""
    value = json.loads((folder / "report.json").read_text())
    change(value)
    if line:
        packed = folder / "history.jsonl.gz"
        text = gzip.decompress(packed.read_bytes()).decode()
        row = {"seq": text.count("\n"), "time": 1.78e9, **json.loads(line)}
        plain = folder / "plain"
        plain.write_text(text + json.dumps(row) + "\n")
        value["footer"]["history"] = file_digest(plain)
        packed.write_bytes(gzip.compress(plain.read_bytes()))
        plain.unlink()
    if seal:
        value["footer"] |= {"report": report_digest(value), "outcome": value["outcome"], "run": len(value["checks"])}
    (folder / "report.json").write_text(json.dumps(value))


def nothing(value: Value) -> None:
    """Leave it as it is."""


def test_failing_and_partial_ones_are_welcome(submit: Submit, bad_run: Path, good_run: Path, index: Path) -> None:
    assert submit(bad_run).standing is Standing.NOT_CONFORMANT
    shutil.rmtree(index / "submissions" / "fake.example.com")
    assert submit(good_run).standing is Standing.CONFORMANT
    checked = check(index, SUITE)
    assert checked.problems == []
    assert [entry.standing for entry in checked.entries] == [Standing.CONFORMANT]


def passes(value: Value) -> None:
    broken = result(value, "preparation.repeat")
    broken |= {"verdict": "PASS", "message": ""}
    broken["findings"][0] |= {"holds": True}


def test_an_edited_verdict(folder: Path, index: Path) -> None:
    rewrite(folder, passes)
    said = problems(index)
    assert any(
        f"{folder.name}/report.json: preparation.repeat is PASS, and what history.jsonl holds of it makes it FAIL"
        in each
        for each in said
    )
    rewrite(folder, nothing, seal=False)
    assert problems(index) == said


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda value: value.pop("footer"), "has no footer, although its run has finished: it was cut"),
        (lambda value: value.update(schema_version=2), "has schema version 2, and this dra-conformance reads 1"),
        (lambda value: value["settings"].update(seed=7), "was changed after its run: its SHA-256 is"),
        (lambda value: value.update(surprise=1), "is not a report: surprise: "),
    ],
)
def test_what_is_no_report_of_a_run(change: Callable[[Value], object], words: str, folder: Path, index: Path) -> None:
    rewrite(folder, change, seal=False)
    said = problems(index)
    assert words in said[0]
    assert said[0].startswith(f"submissions/fake.example.com/1.2.0/{folder.name}/report.json: ")


@pytest.mark.parametrize("left", [0, 40, -9])
def test_a_history_that_was_cut(left: int, folder: Path, index: Path) -> None:
    packed = folder / "history.jsonl.gz"
    packed.write_bytes(packed.read_bytes()[:left] if left else b"no gzip")
    assert only(index).startswith(f"{folder.name}/history.jsonl.gz: is cut, or not packed with gzip (")


def test_a_history_that_grows_without_end(folder: Path, index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "LARGEST_HISTORY", 3 << 20)
    (folder / "history.jsonl.gz").write_bytes(gzip.compress(bytes(4 << 20)))
    assert only(index) == f"{folder.name}/history.jsonl.gz: holds more than 3 MiB; submit a run that is shorter"


def test_a_file_that_is_too_large(folder: Path, index: Path) -> None:
    with (folder / "report.json").open("ab") as file:
        file.truncate(5 << 20)
    assert only(index) == f"{folder.name}/report.json: is larger than 4096 KiB; submit a run that is shorter"


def test_texts_that_no_run_writes(folder: Path, index: Path) -> None:
    """To look for secrets in them could take hours."""
    long = "_a" * 500_000
    rewrite(folder, nothing, line=json.dumps({"kind": "process", "says": long}))
    assert only(index).endswith("holds a text of more than 40000 characters")
    rewrite(folder, lambda value: value.update(notes=[f"{long} token=abcdefgh"]))
    assert only(index) == f"{folder.name}/report.json: holds a text of more than 40000 characters, which no run writes"


def test_secrets(folder: Path, index: Path) -> None:
    token = "ghp_" + "a1" * 18
    rewrite(folder, lambda value: value.update(notes=[f"cloned with {token}"]))
    assert only(index) == (
        f"{folder.name}/report.json: holds what looks like a secret at notes[0]; submit a run without it, and make the "
        "secret invalid, as it was sent"
    )
    rewrite(folder, lambda value: value["settings"].update(api_token="abc"))
    assert "report.json: holds what looks like a secret at settings.api_token" in only(index)


@pytest.mark.parametrize(
    "argv", [["--token=abcdefgh"], ["--password", "hunter2hunter2"], ["eyJhbGciOiJI.eyJzdWIi.sig"]]
)
def test_secrets_in_the_history(argv: list[str], folder: Path, index: Path) -> None:
    rewrite(folder, nothing, line=json.dumps({"kind": "process", "phase": "started", "argv": ["driver", *argv]}))
    said = only(index)
    assert said.startswith(f"{folder.name}/history.jsonl.gz: event ")
    assert "holds what looks like a secret at argv[" in said
    assert argv[-1] not in said


@pytest.mark.parametrize("path", ["/home/alice/driver.yaml", "/Users/alice/driver.yaml", "C:\\Users\\alice\\driver"])
def test_home_folders(path: str, folder: Path, index: Path) -> None:
    rewrite(folder, lambda value: value["driver"].update(file=path))
    assert only(index) == (
        f"{folder.name}/report.json: holds the path of somebody's home folder at driver.file; "
        "`dra-conformance index add` takes it out"
    )


def test_folders_of_machines_are_nobodys_home(folder: Path, index: Path) -> None:
    rewrite(folder, lambda value: value["driver"].update(file="/home/runner/work/driver.yaml"))
    assert problems(index) == []


@pytest.mark.parametrize("started", [1e18, -5.0, 4e9, float("nan"), float("inf")])
def test_a_time_at_which_nothing_ran(started: float, folder: Path, index: Path) -> None:
    rewrite(folder, lambda value: value.update(started=started))
    assert any("has started as " in said for said in problems(index))


def test_what_nobody_thought_of(folder: Path, index: Path) -> None:
    rewrite(folder, lambda value: value["settings"].update(checks=7, profiles=3, seed={}))
    rewrite(folder, lambda value: value.update(cluster={"kind": [1], "kubernetes": {}}))
    assert all(said.startswith("submissions/fake.example.com/1.2.0/") for said in problems(index))


@pytest.mark.parametrize("name", ["..hidden", ".git", "a b", "a\nb", "ü", "-x", "x."])
def test_names_that_are_none(name: str, index: Path) -> None:
    (index / "submissions" / name).mkdir()
    (said,) = check(index, SUITE).problems
    assert "is no name for a folder here" in said


def test_a_name_that_leads_out(folder: Path, index: Path) -> None:
    rewrite(folder, lambda value: value["driver"].update(name="../../../etc"))
    assert "by its report it belongs in submissions/etc/1.2.0/" in problems(index)[-1]


def test_a_problem_stays_in_its_line(folder: Path, index: Path) -> None:
    rewrite(folder, lambda value: value["driver"].update(version="2\nsubmissions/a/1/b: conformant"))
    assert len(problems(index)) == 2


def test_the_place_of_another(folder: Path, index: Path) -> None:
    other = folder.with_name(folder.name.replace("core", "health"))
    folder.rename(other)
    said = only(index)
    assert said.endswith(
        f": by its report it belongs in submissions/fake.example.com/1.2.0/{folder.name}; move it there"
    )


def test_names_that_collide(folder: Path, index: Path) -> None:
    shutil.copytree(index / "submissions/fake.example.com", index / "submissions/Fake.example.com")
    said = problems(index)
    assert any("differs from Fake.example.com in case only" in each for each in said)


def test_the_same_report_twice(folder: Path, index: Path) -> None:
    twin = folder.parents[1] / "1.3.0" / folder.name
    shutil.copytree(folder, twin)
    metadata = twin / "metadata.yaml"
    metadata.write_text(metadata.read_text().replace("1.2.0", "1.3.0"))
    (said,) = problems(index)
    assert said.endswith(
        f"is the report of submissions/fake.example.com/1.2.0/{folder.name} once more; remove one of them"
    )


@pytest.mark.parametrize("name", ["report.json", "metadata.yaml", "history.jsonl.gz"])
def test_symbolic_links_are_not_followed(name: str, folder: Path, index: Path, tmp_path: Path) -> None:
    shutil.move(folder / name, tmp_path / name)
    (folder / name).symlink_to(tmp_path / name)
    assert only(index) == f"{folder.name}/{name}: is a symbolic link; put the file itself there"


def test_folders_that_are_links(folder: Path, index: Path, tmp_path: Path) -> None:
    shutil.move(folder, tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    assert only(index) == f"{folder.name}: is a symbolic link where only folders belong; remove it"
    shutil.move(index / "submissions", tmp_path / "all")
    (index / "submissions").symlink_to(tmp_path / "all")
    assert problems(index) == ["submissions: is a symbolic link; put the folder itself there"]


def test_what_is_there_besides_or_is_missing(folder: Path, index: Path) -> None:
    (folder / "metadata.yaml").unlink()
    (folder / "index.html").touch()
    os.mkfifo(folder / "report.pipe")
    (folder.parent / "README.md").touch()
    said = [each.partition(": ")[2].partition(";")[0] for each in problems(index)]
    assert said == [
        "is a file where only folders belong",
        "has no place in a submission, which holds report.json, history.jsonl.gz, metadata.yaml",
        "has no place in a submission, which holds report.json, history.jsonl.gz, metadata.yaml",
        "is missing",
    ]


GOOD = "organisation: Example\nhomepage: https://example.com\nreproduce: make\nversion: 1.2.0\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (GOOD.replace("organisation: Example\n", ""), "1: organisation is missing; add it"),
        (GOOD.replace("version: 1.2.0\n", ""), "1: version is missing, as the report has none; add it"),
        (GOOD.replace("https", "javascript"), "2: homepage is no address that a browser opens; give one that begins"),
        (GOOD + "organization: x\n", "5: unknown key 'organization'; known are organisation, reproduce, homepage"),
        (GOOD + "version: 1.2.1\n", "5: version is given twice"),
        (GOOD.replace("Example", "[Example]"), "1: organisation is no text; put it in quotes"),
        (GOOD.replace("Example", '"Exam\\u202eple"'), "1: organisation has a character that cannot be seen (U+202E)"),
        (GOOD.replace("Example", "x" * 201), "1: organisation has 201 characters, and at most 200 are wanted"),
        (GOOD.replace("make", "run --token=abcdefgh"), "3: reproduce holds what looks like a secret; remove it"),
        (GOOD.replace("make", "/home/alice/run"), "3: reproduce holds the path of somebody's home folder; remove it"),
        ("- a\n", "1: is no map; it has organisation, reproduce, and may have homepage, version and notes"),
        ("a: [\n", "2: is not YAML: "),
        ("\xff", "1: is not UTF-8 text"),
    ],
)
def test_metadata(text: str, said: str, folder: Path, index: Path) -> None:
    (folder / "metadata.yaml").write_bytes(text.encode("latin-1" if text == "\xff" else "utf-8"))
    assert only(index).startswith(f"{folder.name}/metadata.yaml:{said}")


def test_a_version_is_the_text_that_stands_there(folder: Path, index: Path) -> None:
    (folder / "metadata.yaml").write_text(GOOD.replace("1.2.0", "1.10"))
    assert "it belongs in submissions/fake.example.com/1.10/" in problems(index)[0]
