"""Whole runs on our own kubelet: neither a tap that does nothing nor the lack of one changes a verdict."""

import json
import os
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from conformance.cli_run import command
from conformance.verdict import Verdict
from tests.variants import ROOT

DRIVERS = ("reference", "kubernetes-test-driver") if os.environ.get("DRA_ALL") == "1" else ("reference",)
UNSEEN = "calls between the kubelet and the driver cannot be seen on this cluster"
NO_HOOK = "the driver file has no hook"
MOST, LEAST = 30, 12  # checks at least that the comparisons are about
Report = dict[str, Any]
Judged = Callable[..., Report]


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory, go_driver_binary: Path) -> Judged:
    """The report of a whole run of a driver, each made once."""

    @cache
    def run(driver: str, *options: str) -> Report:
        folder = tmp_path_factory.mktemp(driver)
        argv = command([f"--driver={driver}", f"--report-dir={folder}", "-p", "no:cacheprovider", *options])
        env = {**os.environ, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(argv, cwd=folder, env=env, capture_output=True, text=True, check=False, timeout=300)
        output = done.stdout[-4000:] + done.stderr[-2000:]
        assert (folder / "report.json").exists(), output
        report: Report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
        assert report["outcome"] not in ("interrupted", "error"), output
        return report

    return run


@pytest.mark.parametrize("driver", DRIVERS)
def test_are_the_same_with_the_tap(driver: str, judged: Judged) -> None:
    plain, tapped = judged(driver), judged(driver, "-p", "tests.tap.tapped_kubelet")
    assert tapped["cluster"]["outside"] == "tap"
    assert len(verdicts(plain)) >= MOST
    assert not with_verdict(plain, Verdict.NOT_RUN, Verdict.INCONCLUSIVE)
    assert verdicts(tapped) == verdicts(plain), explained(tapped)


@pytest.mark.parametrize("driver", DRIVERS)
def test_are_the_same_where_calls_are_not_seen_but_for_those_that_need_them(driver: str, judged: Judged) -> None:
    plain, unseen = judged(driver), judged(driver, "-p", "tests.direct.unseen_kubelet")
    assert unseen["cluster"]["outside"] == "registry"
    needing = {row["id"] for row in unseen["checks"] if (row["verdict"], row["message"]) == (Verdict.NOT_RUN, UNSEEN)}
    compared = verdicts(unseen).keys() - needing
    assert len(compared) >= LEAST
    assert compared.isdisjoint(with_verdict(unseen, Verdict.NOT_RUN, Verdict.INCONCLUSIVE)), explained(unseen)
    compared -= with_verdict(plain, Verdict.BLOCKED)  # by what cannot be judged here
    expected = {id: verdict for id, verdict in verdicts(plain).items() if id in compared}
    assert {id: verdicts(unseen)[id] for id in compared} == expected, explained(unseen)


def verdicts(report: Report) -> dict[str, Verdict]:
    """By check."""
    return {check["id"]: Verdict(check["verdict"]) for check in report["checks"]}


def with_verdict(report: Report, *wanted: Verdict) -> set[str]:
    """Checks that have one of these, but for those that the driver file offers no hook for."""
    return {
        row["id"]
        for row in report["checks"]
        if Verdict(row["verdict"]) in wanted and not row["message"].startswith(NO_HOOK)
    }


def explained(report: Report) -> str:
    """What was said of the checks that did not pass."""
    return "\n".join(f"{c['id']}: {c['verdict']}: {c['message']}" for c in report["checks"] if c["verdict"] != "PASS")
