"""A run that goes through two clusters at once says what one after the other would say."""

import signal
from types import SimpleNamespace
from typing import Any

import pytest

from conformance.report.model import Outcome
from conformance.report.verify import verify
from conformance.session import workers
from conformance.verdict import Verdict
from tests.session.project import Project
from tests.session.test_signals import Running

OBSERVES = """
@check(id="preparation.observes", covers=["PREP-01"])
def test_observes(expect, driver):
    "It only looks."
    import time
    time.sleep({seconds})
    expect("PREP-01").true({good}, "it is well")
"""
KILLS = """
@check(id="restart.kills", covers=["REG-16"], needs={needs}, tier=Tier.DISRUPT_DRIVER)
def test_kills(expect, driver, history):
    "It disturbs the driver."
    history.record("leak", check="restart.kills", claim="", what={leak!r}, where="kills")
    expect("REG-16").true(True, "the driver is back")
"""
# A check that needs the one that observes begins after it in any lane, so there is one more that does not.
IDLE = """
@check(id="restart.idle", covers=["REG-16"], tier=Tier.DISRUPT_DRIVER)
def test_idle(expect, driver):
    "It has the other worker."
    expect("REG-16").true(True, "the driver is back")
"""
AT_END = """
@check(id="unpreparing.end", covers=["UNP-07"], at_end=True)
def test_end(expect, driver, history):
    "It looks at the whole run."
    found = [event["where"] for event in history.events("leak", lambda event: event["what"])]
    if not found:
        raise Inconclusive("there is nothing to look at")
    expect("UNP-07").equal([place for place in found if place != "kills"], [], "nothing is left by others")
    expect("UNP-07").true(not list(history.events("leak", lambda event: event["what"] == "bad")), "nothing bad is left")
"""


def suite(project: Project, *, good: bool = True, needs: str = "()", leak: str = "good", seconds: float = 0) -> None:
    project.suite(OBSERVES.format(good=good, seconds=seconds) + IDLE + KILLS.format(needs=needs, leak=leak) + AT_END)


def ran_in(project: Project) -> dict[str, str]:
    return {result.id: result.worker for result in project.report().checks}


def test_what_disturbs_runs_beside_what_observes(project: Project) -> None:
    suite(project)
    assert project.run("-n2").returncode == 0
    assert ran_in(project) == {
        "preparation.observes": "gw0",
        "restart.kills": "gw0",
        "restart.idle": "gw1",
        "unpreparing.end": "gw0",
    }
    assert verify(project.report_dir).problems == []


def test_each_check_is_counted_once_in_its_usual_place(project: Project) -> None:
    suite(project)
    project.run("-n0")
    alone = [(result.id, result.verdict) for result in project.report().checks]
    project.run("-n2")
    assert [(result.id, result.verdict) for result in project.report().checks] == alone


@pytest.mark.parametrize(("good", "verdict"), [(True, Verdict.PASS), (False, Verdict.BLOCKED)])
def test_what_a_check_needs_may_run_in_another_worker(project: Project, good: bool, verdict: Verdict) -> None:
    suite(project, good=good, seconds=0.5)
    project.suite(KILLS.format(needs='("preparation.observes", "restart.idle")', leak="good"), "test_more.py")
    text = (project.folder / "suite" / "test_more.py").read_text().replace("restart.kills", "restart.more")
    (project.folder / "suite" / "test_more.py").write_text(text)
    project.run("-n2")
    assert {"gw0", "gw1"} == set(ran_in(project).values())
    assert project.result("restart.more").verdict is verdict


@pytest.mark.parametrize(("leak", "verdict"), [("good", Verdict.PASS), ("bad", Verdict.FAIL)])
def test_the_end_judges_what_happened_in_each_cluster(project: Project, leak: str, verdict: Verdict) -> None:
    """The first lane has nothing to look at, and the other has something."""
    project.suite(OBSERVES.format(good=True, seconds=0) + KILLS.format(needs="()", leak=leak) + AT_END)
    project.run("-n2")
    assert ran_in(project)["restart.kills"] == "gw1"
    assert project.result("unpreparing.end").verdict is verdict
    assert verify(project.report_dir).problems == []


def test_the_end_is_inconclusive_where_no_cluster_shows_anything(project: Project) -> None:
    project.suite(OBSERVES.format(good=True, seconds=0) + KILLS.format(needs="()", leak="") + AT_END)
    project.run("-n2")
    assert project.result("unpreparing.end").verdict is Verdict.INCONCLUSIVE
    assert project.result("unpreparing.end").message == "there is nothing to look at"


def test_nobody_waits_for_a_worker_that_died(project: Project) -> None:
    suite(project)
    project.suite(
        """
        @check(id="restart.fatal", covers=["REG-16"], tier=Tier.DISRUPT_DRIVER)
        def test_fatal(expect, driver):
            "It ends the worker."
            import os
            os._exit(1)

        @check(id="restart.waits", covers=["REG-16"], needs=["restart.fatal"], tier=Tier.DISRUPT_DRIVER)
        def test_waits(expect, driver):
            "It is not reached."
        """,
        "test_fatal.py",
    )
    assert project.run("-n2").returncode == 6
    assert project.result("restart.fatal").verdict is Verdict.INCONCLUSIVE
    assert project.result("restart.waits").verdict is Verdict.BLOCKED


def test_a_worker_that_waits_ends_when_the_run_is_ended(project: Project) -> None:
    project.suite(
        """
        @check(id="unpreparing.later", covers=["PREP-01"])
        def test_later(expect, driver):
            "It keeps the first lane busy, as far as is known."

        @check(id="restart.waits", covers=["REG-16"], needs=["preparation.hangs"], tier=Tier.DISRUPT_DRIVER)
        def test_waits(expect, driver):
            "It waits for what hangs."
        """,
        "test_more.py",
    )
    running = Running(project, "-n2")
    status, output = running.end(signal.SIGTERM)
    assert status == 2, output
    assert project.report().outcome is Outcome.INTERRUPTED
    assert not running.child_lives()


def config(**options: Any) -> Any:
    given: dict[str, Any] = {
        "numprocesses": None,
        "dist": "no",
        "tx": [],
        "usepdb": False,
        "capture": "fd",
        "collectonly": False,
        "conformance_check": None,
        "keyword": "",
        "markexpr": "",
        "conformance_cluster": "embedded",
        "conformance_tier": None,
    }
    return SimpleNamespace(option=SimpleNamespace(**{**given, **options}), args=["suite"])


@pytest.mark.parametrize("cores", [1, 2, 64])
def test_a_whole_run_has_two_workers_where_there_are_cores_for_them(
    cores: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(cores)))
    whole = config()
    workers.choose(whole, "reference")
    assert whole.option.numprocesses == (None if cores == 1 else 2)


@pytest.mark.parametrize(
    "options",
    [
        {"numprocesses": 0},
        {"numprocesses": 4},
        {"usepdb": True},
        {"capture": "no"},
        {"keyword": "restart"},
        {"conformance_check": ["restart.kills"]},
        {"conformance_cluster": "kind"},
        {"conformance_tier": "observe"},
    ],
)
def test_other_runs_have_as_many_as_they_say(options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1})
    given = config(**options)
    workers.choose(given, "reference")
    assert given.option.numprocesses == options.get("numprocesses")


@pytest.mark.parametrize(
    ("driver", "number"),
    [("reference", 2), ("reference-extras", 2), ("kubernetes-test-driver", None), ("missing.yaml", None)],
)
def test_a_driver_that_may_not_stand_itself_has_one_cluster(
    driver: str, number: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ports, folders and real devices are there once."""
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1})
    given = config()
    workers.choose(given, driver)
    assert given.option.numprocesses == number
