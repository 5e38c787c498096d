"""The command line, as a user types it."""

import json
import subprocess
import sys
from collections.abc import Sequence
from types import ModuleType

import pytest

from conformance import __version__, cli
from conformance.advice import advice
from conformance.catalogue import all_checks
from conformance.requirement import catalogue
from conformance.session.options import PROFILES
from conformance.verdict import Verdict

Captured = pytest.CaptureFixture[str]


def output(capsys: Captured, *arguments: str) -> str:
    """What a command prints that ends well."""
    assert cli.main(arguments) == 0
    return capsys.readouterr().out


def complaint(capsys: Captured, *arguments: str) -> str:
    """What a command says that the user got wrong."""
    assert cli.main(arguments) == 4
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err


def test_version(capsys: Captured) -> None:
    assert output(capsys, "--version") == f"dra-conformance {__version__}\n"


def test_no_command_shows_the_help(capsys: Captured) -> None:
    assert cli.main([]) == 4
    assert "explain" in capsys.readouterr().out


def test_help_of_run_lists_the_options_of_the_suite(capsys: Captured) -> None:
    printed = output(capsys, "run", "--help")
    for option in ("--driver=NAME|FILE", "--check=ID", "--report-dir=FOLDER", "--conformance-tier=TIER"):
        assert option in printed


def test_list_has_a_line_for_each_check(capsys: Captured) -> None:
    lines = output(capsys, "list").splitlines()
    assert [line.split()[0] for line in lines] == list(all_checks())


def test_list_of_an_area(capsys: Captured) -> None:
    rows = json.loads(output(capsys, "list", "--area", "registration", "--json"))
    assert {row["area"] for row in rows} == {"registration"}
    assert {"id", "title", "profile", "tier", "covers", "file"} <= set(rows[0])


def test_list_of_a_profile(capsys: Captured) -> None:
    rows = json.loads(output(capsys, "list", "--profile", "core", "--json"))
    assert {row["profile"] for row in rows} == {"core"}


def test_list_of_requirements_begins_with_the_uncovered_ones(capsys: Captured) -> None:
    rows = json.loads(output(capsys, "list", "--requirements", "--json"))
    assert {row["id"] for row in rows} == set(catalogue())
    covered = [bool(row["checks"]) for row in rows]
    assert covered == sorted(covered)


def test_unknown_area_names_the_known_ones(capsys: Captured) -> None:
    assert "known are" in complaint(capsys, "list", "--area", "registratoin")


def test_explain_a_check(capsys: Captured) -> None:
    text = output(capsys, "explain", "registration.registers")
    entry = all_checks()["registration.registers"]
    assert entry.check.title in text
    assert str(entry.file) in text
    for requirement in entry.check.covers:
        assert catalogue()[requirement].statement in text


def test_explain_a_requirement(capsys: Captured) -> None:
    text = output(capsys, "explain", "hlt-03")
    assert "MUST" in text
    assert catalogue()["HLT-03"].source in text
    assert "drivers with the feature health" in text


def test_explain_tells_what_covers_a_requirement(capsys: Captured) -> None:
    entry = all_checks()["registration.registers"]
    assert "  registration.registers  " in output(capsys, "explain", entry.check.covers[0])


def test_explain_gives_usual_causes_and_how_to_mend_it(capsys: Captured) -> None:
    text = output(capsys, "explain", "PREP-05")
    assert all(cause in text for cause in advice()["PREP-05"].causes)
    assert f"How to mend it: {advice()['PREP-05'].fix}" in text


def test_explain_marks_our_own_judgement(capsys: Captured) -> None:
    assert "MUST (our judgement)" in output(capsys, "explain", "PREP-18")


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("registration.register", "registration.registers"),
        ("PREP-999", "PREP-"),
        ("REG_01", "REG-01"),
        ("PREP-5", "PREP-05"),
    ],
)
def test_explain_an_unknown_id_names_the_nearest(capsys: Captured, wrong: str, right: str) -> None:
    message = complaint(capsys, "explain", wrong)
    assert message.startswith("dra-conformance: ")
    assert f"the nearest is {right}" in message
    assert message.count("\n") == 1


@pytest.mark.parametrize("wrong", ["XYZ", "failure-of-things", "?"])
def test_explain_names_nothing_that_is_not_similar(capsys: Captured, wrong: str) -> None:
    assert "the nearest is" not in complaint(capsys, "explain", wrong)


@pytest.mark.parametrize("word", ["FAIL", "fail", "NOT_APPLICABLE", "not-applicable"])
def test_explain_a_verdict(capsys: Captured, word: str) -> None:
    verdict = Verdict(word.upper().replace("-", "_"))
    assert output(capsys, "explain", word) == f"{verdict}  {verdict.meaning}\n"


@pytest.mark.parametrize("document", ["driver", "report"])
def test_schema_is_json(capsys: Captured, document: str) -> None:
    assert json.loads(output(capsys, "schema", document))["type"] == "object"


@pytest.mark.parametrize("arguments", [("schema", "drivr"), ("--nope",), ("lst",), ("explain",)])
def test_usage_error_is_one_sentence_and_status_4(capsys: Captured, arguments: Sequence[str]) -> None:
    assert complaint(capsys, *arguments).count("\n") == 1


@pytest.fixture
def cli_run(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A stand-in for the module behind `run`."""
    module = ModuleType("conformance.cli_run")
    monkeypatch.setitem(sys.modules, "conformance.cli_run", module)
    return module


def test_run_passes_everything_on_and_returns_the_status(cli_run: ModuleType) -> None:
    seen: list[str] = []

    def run(arguments: list[str]) -> int:
        seen.extend(arguments)
        return 6

    cli_run.__dict__["run"] = run
    assert cli.main(["run", "--driver=reference", "-k", "a or b", "-x", "some/path", "--", "-q"]) == 6
    assert seen == ["--driver=reference", "-k", "a or b", "-x", "some/path", "-q"]


def test_a_fault_of_ours_is_not_blamed_on_the_driver(cli_run: ModuleType, capsys: Captured) -> None:
    def run(arguments: list[str]) -> int:
        raise RuntimeError("a bug")

    cli_run.__dict__["run"] = run
    assert cli.main(["run"]) == 3
    assert "RuntimeError: a bug" in capsys.readouterr().err


def test_version_loads_nothing_heavy() -> None:
    heavy = ("pytest", "grpc", "yaml", "starlette", "jinja2", "urllib3")
    code = f"""
import sys
from conformance.cli import main
print(main(["--version"]), [name for name in {heavy} if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=20)
    assert done.stdout.splitlines()[-1] == "0 []"


def test_a_profile_that_no_check_has_yet_is_known_like_in_a_run(capsys: Captured) -> None:
    idle = set(PROFILES) - {entry.check.profile for entry in all_checks().values()}
    for profile in sorted(idle):
        assert cli.main(["list", f"--profile={profile}"]) == 0
        assert capsys.readouterr() == ("", "There is no such check yet.\n")
    assert "known are" in complaint(capsys, "list", "--profile=hardning")


def test_list_of_requirements_has_their_statements(capsys: Captured) -> None:
    lines = output(capsys, "list", "--requirements").splitlines()
    for requirement in catalogue().values():
        (line,) = [line for line in lines if line.split()[0] == requirement.id]
        assert line.endswith(requirement.statement)


def test_on_a_terminal_statements_are_shortened_to_its_width(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "72")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    lines = output(capsys, "list", "--requirements").splitlines()
    assert max(map(len, lines)) <= 72
    assert any(line.endswith("…") for line in lines)
