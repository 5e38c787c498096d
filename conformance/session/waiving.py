"""The waivers of a run: read before anything starts, held against each finding as it is made, kept in the history."""

from collections.abc import Iterable
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from conformance.catalogue import all_checks
from conformance.check import Check
from conformance.history import History
from conformance.report.model import CheckResult
from conformance.report.waived import covered
from conformance.session.options import Settings
from conformance.session.state import WAIVERS, is_worker
from conformance.verdict import Verdict
from conformance.waivers.load import WaiverError, load, refuse_unknown


def take(config: pytest.Config, settings: Settings) -> None:
    """Read the file that the command line names. Raises pytest.UsageError."""
    if settings.waivers is None:
        return
    if not settings.waivers:
        raise pytest.UsageError("--waivers= is empty; give a file of waivers")
    path = config.invocation_params.dir / Path(settings.waivers).expanduser()
    try:
        config.stash[WAIVERS] = load(path, settings.waivers, _day(config))
    except WaiverError as error:
        raise pytest.UsageError(str(error)) from None


def day_of(config: pytest.Config) -> str:
    """The day of the run for its workers: all of them judge by the same."""
    waivers = config.stash.get(WAIVERS, None)
    return waivers.day.isoformat() if waivers else ""


def known(config: pytest.Config, collected: Iterable[Check]) -> None:
    """Waivers must be of checks of the suite, or of others that were collected. Raises pytest.UsageError."""
    waivers = config.stash.get(WAIVERS, None)
    if waivers is None:
        return
    ours = {id: entry.check.covers for id, entry in all_checks().items()}
    try:
        refuse_unknown(waivers, {**ours, **{check.id: check.covers for check in collected}})
    except WaiverError as error:
        raise pytest.UsageError(str(error)) from None


def keep(config: pytest.Config, history: History) -> None:
    """Have the history hold what the run was given, so that what is waived can be derived from it again."""
    if WAIVERS in config.stash:
        history.record("waivers", **config.stash[WAIVERS].facts())


def reason(config: pytest.Config, result: CheckResult) -> str:
    """Who answers for all that a check has found, why and until when; "" where nobody does."""
    result = covered(result, config.stash.get(WAIVERS, None))
    return result.message if result.verdict is Verdict.WAIVED else ""


def _day(config: pytest.Config) -> date:
    if is_worker(config):
        return date.fromisoformat(config.workerinput["dra_conformance"]["day"])  # type: ignore[attr-defined]
    return datetime.now(UTC).date()
