"""The command line: the help of every command, the options of a run, exit statuses."""

import io
import os
import re
from collections.abc import Iterator
from contextlib import redirect_stdout

import typer
from environment import variables
from markup import listing, paragraphs, prose, table

from conformance.cli import app
from conformance.report.obligations import EXIT_MEANINGS
from conformance.session.options import described
from conformance.verdict import Verdict

_NAME = "dra-conformance"
_WIDTH = "100"  # columns
_ALL = typer.main.get_command(app)
_STATUS = re.compile(r"Exit status:\s*(.*)", re.S)


def pages() -> Iterator[tuple[str, str]]:
    """(path, text) of the pages."""
    commands = list(_commands(_ALL))
    yield "reference/commands.md", _help(commands)
    yield "reference/options.md", _options()
    yield "reference/exit-statuses.md", _statuses(commands)


def _commands(command: object, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """(words of a command, what its docstring says), subcommands included."""
    inner = getattr(command, "commands", {})
    if path and not inner:
        yield path, str(getattr(command, "help", "") or "")
    for name, part in inner.items():
        yield from _commands(part, (*path, name))


def _help(commands: list[tuple[tuple[str, ...], str]]) -> str:
    texts = ["# Commands", "What `--help` prints, for every command of `dra-conformance`.", listing(_said("--help"))]
    texts += [f"## {' '.join(path)}\n\n{listing(_said(*path, '--help'))}" for path, _ in commands]
    return "\n\n".join(texts) + "\n"


def _said(*arguments: str) -> str:
    """What the command line prints."""
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = _WIDTH
    try:
        with redirect_stdout(io.StringIO()) as said:
            _ALL.main(list(arguments), prog_name=_NAME, standalone_mode=False)
    finally:
        os.environ.pop("COLUMNS") if before is None else os.environ.update(COLUMNS=before)
    return said.getvalue()


def _options() -> str:
    head = (
        "What `pytest` and `dra-conformance run` take beside pytest's own options. Each has a long name that is only"
        " ours, `--conformance-…`, for projects where another plugin owns the short one."
    )
    rows = [(f"`{name}`", prose(meaning)) for name, meaning in described()]
    options = table(("option", "what it does"), rows)
    return f"# Options and environment\n\n## Of a run\n\n{head}\n\n{options}\n\n## Environment\n\n{variables()}\n"


def _statuses(commands: list[tuple[tuple[str, ...], str]]) -> str:
    runs = table(("status", "meaning"), [(str(status), prose(meaning)) for status, meaning in EXIT_MEANINGS.items()])
    told = [(path, _STATUS.search(text)) for path, text in commands]
    others = [(f"`{' '.join(path)}`", paragraphs(" ".join(found[1].split()))) for path, found in told if found]
    verdicts = table(("verdict", "meaning"), [(verdict.value, prose(verdict.meaning)) for verdict in Verdict])
    texts = [
        "# Exit statuses and verdicts",
        "## Of a run",
        "The table of [Verdicts](../verdicts.md#the-status-of-a-run) says which one it is where several fit.",
        runs,
        "## Of the other commands",
        "A wrong command line is 4 everywhere, and a fault of the suite 3.",
        table(("command", "exit status"), others),
        "## Verdicts",
        verdicts,
    ]
    return "\n\n".join(texts) + "\n"
