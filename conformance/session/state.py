"""What a run knows, kept with pytest's config under typed keys."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from conformance.check import Check, header_of
from conformance.session.options import Settings
from conformance.verdict import Verdict

if TYPE_CHECKING:
    from conformance.session.bench import Bench
    from conformance.session.board import Board
    from conformance.session.collected import Collected
    from conformance.session.reportdir import ReportDir
    from conformance.session.results import Results
    from conformance.session.resume import Kept
    from conformance.target import Target
    from conformance.waivers.model import Waivers

SETTINGS: pytest.StashKey[Settings] = pytest.StashKey()
TARGET: "pytest.StashKey[Target]" = pytest.StashKey()
WORKER: pytest.StashKey[str] = pytest.StashKey()
"""Name of the pytest-xdist worker that this process is, "" for the only or the controlling process."""
FOLDER: pytest.StashKey[Path] = pytest.StashKey()
"""The report's folder."""
TROUBLE: pytest.StashKey[str] = pytest.StashKey()
"""Why there can be no cluster, where that is known before the first check."""
COLLECTED: "pytest.StashKey[Collected]" = pytest.StashKey()
BOARD: "pytest.StashKey[Board]" = pytest.StashKey()
"""Where this process, as one of several workers, tells the others of its verdicts."""
BENCH: "pytest.StashKey[Bench]" = pytest.StashKey()
VERDICTS: pytest.StashKey[dict[str, Verdict]] = pytest.StashKey()
"""Verdicts that this process has reached, by check id."""
UNSEEN: pytest.StashKey[set[str]] = pytest.StashKey()
"""Ids of checks that this cluster shows nothing to judge by."""
WAIVERS: "pytest.StashKey[Waivers]" = pytest.StashKey()
"""The waivers of the run, where it was given any."""
ENDING: pytest.StashKey[bool] = pytest.StashKey()
"""Set once the run ends, by itself or by a signal: then nothing is waited for any more."""
RESULT = "dra_conformance"
"""Attribute of a test report that carries the result of a check, as JSON, also from workers to the controller."""
REPORT_DIR: "pytest.StashKey[ReportDir]" = pytest.StashKey()
KEPT: "pytest.StashKey[Kept]" = pytest.StashKey()
"""What this part of a run has taken over from an earlier one; only where there is one."""
RESULTS: "pytest.StashKey[Results]" = pytest.StashKey()


def check_of(item: pytest.Item) -> Check | None:
    """The header of an item that is a check."""
    return header_of(getattr(item, "function", None))


def is_worker(config: pytest.Config) -> bool:
    """Whether this is a worker process of pytest-xdist."""
    return hasattr(config, "workerinput")


def is_distributed(config: pytest.Config) -> bool:
    """Whether this process hands the tests out to workers of pytest-xdist."""
    given = config.getoption("dist", "no") != "no" and bool(config.getoption("tx", None))
    return given and not is_worker(config) and not config.option.collectonly
