"""A report's folder that cannot be written to any more while a run goes on: the run ends, and one sentence says why."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from conformance.report.conclusion import INTERNAL, INTERRUPTED
from conformance.session.state import FOLDER, RESULTS, is_worker

ERRORS = "dra_conformance_errors"
"""Key of a worker's output under which it names failures that are not the driver's."""


def sentence(folder: Path, error: OSError) -> str:
    """What has become of the folder, and what to do."""
    return (
        f"{folder}: the report cannot be written ({error.strerror or error}); see to it that it can and give the same "
        "command with --resume, or another --report-dir"
    )


def note(config: pytest.Config, text: str) -> None:
    """Remember a failure that is not the driver's, once, for exit status 3."""
    worker: Any = config if is_worker(config) else None
    errors = worker.workeroutput.setdefault(ERRORS, []) if worker else config.stash[RESULTS].errors
    if text not in errors:
        errors.append(text)


@contextmanager
def ends_run(config: pytest.Config) -> Iterator[None]:
    """Inside the block something is written to the report's folder; where that fails nothing more is judged.

    Raises pytest's Exit, which nobody takes for a test that has failed.
    """
    try:
        yield
    except OSError as error:
        text = sentence(config.stash[FOLDER], error)
        note(config, text)
        session: Any = config.pluginmanager.get_plugin("session")
        session.shouldstop = text  # what tells the controller that a worker has not just come to its end
        # As if by Ctrl-C, so that the terminal says how it ended; a worker of which that is said would be replaced.
        raise pytest.exit.Exception(text, returncode=INTERNAL if is_worker(config) else INTERRUPTED) from None
