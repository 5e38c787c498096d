"""The waivers of a run: read before anything starts, held against what each check finds, kept in the history."""

import json
import os
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from conformance.catalogue import all_checks
from conformance.check import Check
from conformance.report.model import CheckResult
from conformance.report.waived import covered
from conformance.session.options import Settings
from conformance.session.state import WAIVERS, is_worker
from conformance.verdict import Verdict
from conformance.waivers.load import WaiverError, load, refuse_unknown
from conformance.waivers.model import Waivers


def take(config: pytest.Config, settings: Settings) -> None:
    """Read the file that the command line names. Raises pytest.UsageError."""
    if settings.waivers is None:
        return
    if is_worker(config):
        given = config.workerinput["dra_conformance"]["waivers"]  # type: ignore[attr-defined]
        config.stash[WAIVERS] = Waivers.of(json.loads(given))
        return
    if not settings.waivers:
        raise pytest.UsageError("--waivers= is empty; give a file of waivers")
    path = config.invocation_params.dir / os.path.expanduser(settings.waivers)
    try:
        config.stash[WAIVERS] = load(path, settings.waivers, datetime.now(UTC).date())
    except WaiverError as error:
        raise pytest.UsageError(str(error)) from None


def for_workers(config: pytest.Config) -> str:
    """What was read, as JSON: a pipe can be read only once, and all judge by the same file on the same day."""
    waivers = config.stash.get(WAIVERS, None)
    return json.dumps(waivers.facts()) if waivers else ""


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


def keep(config: pytest.Config, history: Path) -> None:
    """Have the history of a run that ends hold what it was given, so that what is waived can be derived from it."""
    waivers = config.stash.get(WAIVERS, None)
    if waivers is None or not history.exists():
        return
    with history.open("r+", encoding="utf-8") as file:
        seq = sum(1 for _ in file)
        row = {"seq": seq, "time": round(time.time(), 6), "kind": "waivers", **waivers.facts()}
        file.write(json.dumps(row, separators=(",", ":")) + "\n")


def reason(config: pytest.Config, result: CheckResult) -> str:
    """Who answers for all that a check has found, why and until when; "" where nobody does."""
    result = covered(result, config.stash.get(WAIVERS, None))
    return result.message if result.verdict is Verdict.WAIVED else ""
