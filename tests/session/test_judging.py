"""How a check ends makes its verdict."""

import json

import pytest

from conformance.requirement import Level, catalogue
from tests.session.project import Project

SUITE = """
@check(id="registration.passes", covers=["REG-01"])
def test_passes(expect, driver):
    "A MUST holds."
    expect("REG-01").true(True, "it holds")

@check(id="publishing.warns", covers=["RS-01", "RS-11"])
def test_warns(expect, cluster):
    "A SHOULD is broken."
    expect("RS-01").true(True, "it holds")
    expect("RS-11").equal(3, 1, "it is quiet")

@check(id="preparation.unjudged", covers=["PREP-01", "PREP-05"])
def test_unjudged(expect, driver):
    "One obligation is never judged."
    expect("PREP-01").true(True, "it holds")

@check(id="preparation.no_expect", covers=["PREP-01"])
def test_no_expect(driver):
    "Nothing is judged."

@check(id="preparation.assertion", covers=["PREP-01"])
def test_assertion(expect, driver):
    "An assertion of the harness fails."
    assert 1 == 2

@check(id="preparation.skips", covers=["PREP-01"])
def test_skips(expect, driver):
    "It skips itself."
    pytest.skip("not today")

@check(id="preparation.not_applicable", covers=["PREP-01"])
def test_not_applicable(expect, driver):
    "The driver does not offer it."
    raise NotApplicable("no such thing here")

@check(id="preparation.needs_passed", covers=["PREP-01"], needs=["publishing.warns"])
def test_needs_passed(expect, driver):
    "What it needs has passed."
    expect("PREP-01").true(True, "it holds")

@check(id="preparation.needs_unsure", covers=["PREP-01"], needs=["preparation.skips"])
def test_needs_unsure(expect, driver):
    "What it needs was not judged."

@check(id="preparation.needs_missing", covers=["PREP-01"], needs=["preparation.not_applicable"])
def test_needs_missing(expect, driver):
    "What it needs does not apply."

@check(id="preparation.hooks", covers=["PREP-01"], hooks=["sicken_device"])
def test_hooks(expect, driver):
    "It needs a hook."

@check(id="preparation.feature", covers=["PREP-01"], features=["partitionable"])
def test_feature(expect, driver):
    "It needs a feature."

@check(id="preparation.feature_needs", covers=["PREP-01"], features=["partitionable"], needs=["preparation.skips"])
def test_feature_needs(expect, driver):
    "It needs a feature, and a check that did not pass."

@check(id="preparation.tier", covers=["PREP-01"], tier=Tier.DISRUPT_NODE)
def test_tier(expect, driver):
    "It disturbs."

@check(id="preparation.slow", covers=["PREP-01"])
@pytest.mark.timeout(0.2)
def test_slow(expect, driver):
    "It takes too long."
    import threading
    threading.Event().wait(30)

@check(id="preparation.thread_warning", covers=["PREP-01"])
def test_warning(expect, driver):
    "A warning says nothing about the driver."
    import warnings
    warnings.warn("old")
    expect("PREP-01").true(True, "it holds")

@pytest.fixture
def broken():
    raise OSError("no such fixture")

@check(id="preparation.fixture", covers=["PREP-01"])
def test_fixture(expect, broken):
    "Its fixture fails."

@pytest.fixture
def messy():
    yield
    raise OSError("cannot clean up")

@check(id="preparation.messy", covers=["PREP-01"])
def test_messy(expect, messy):
    "Cleaning up fails."
    expect("PREP-01").true(True, "it holds")

@check(id="preparation.messy_fail", covers=["PREP-01"])
def test_messy_fail(expect, messy):
    "It fails, and then cleaning up does."
    expect("PREP-01").equal(1, 2, "it holds")
"""

VERDICTS = {
    "registration.passes": "PASS",
    "publishing.warns": "WARN",
    "preparation.unjudged": "INCONCLUSIVE",
    "preparation.no_expect": "INCONCLUSIVE",
    "preparation.assertion": "INCONCLUSIVE",
    "preparation.skips": "INCONCLUSIVE",
    "preparation.not_applicable": "NOT_APPLICABLE",
    "preparation.needs_passed": "PASS",
    "preparation.needs_unsure": "BLOCKED",
    "preparation.needs_missing": "NOT_APPLICABLE",
    "preparation.hooks": "NOT_RUN",
    "preparation.feature": "NOT_APPLICABLE",
    "preparation.feature_needs": "NOT_APPLICABLE",
    "preparation.tier": "NOT_RUN",
    "preparation.slow": "INCONCLUSIVE",
    "preparation.thread_warning": "PASS",
    "preparation.fixture": "INCONCLUSIVE",
    "preparation.messy": "INCONCLUSIVE",
    "preparation.messy_fail": "FAIL",
}


def test_verdicts(project: Project) -> None:
    project.suite(SUITE)
    run = project.run("--conformance-tier=disrupt-driver", "-Werror")
    assert run.returncode == 1, run.stdout + run.stderr
    assert {result.id: str(result.verdict) for result in project.report().checks} == VERDICTS
    assert "without judging PREP-05" in project.result("preparation.unjudged").message
    assert "needs preparation.skips, which is INCONCLUSIVE" in project.result("preparation.needs_unsure").message
    assert "Timeout" in project.result("preparation.slow").message
    ends = {row["id"]: row["verdict"] for row in project.history("check") if row["phase"] == "end"}
    assert ends == VERDICTS


def test_a_finding_is_shown_instead_of_a_traceback(project: Project) -> None:
    project.suite("""
        @check(id="preparation.bad", covers=["PREP-05"])
        def test_bad(expect, driver):
            "It does not hold."
            expect("PREP-05").equal({"error": "busy"}, {}, "a repeated Prepare succeeds")
    """)
    text = project.run().stdout
    shown = text[text.index("FAIL preparation.bad: It does not hold.") :]
    for words in ("PREP-05 (MUST)", "that a repeated Prepare succeeds", '{"error": "busy"}'):
        assert words in shown
    assert "Traceback" not in text
    assert "test_suite.py:1" not in text


def test_a_dead_driver_is_waited_for_once(project: Project) -> None:
    project.env["FAKE_DRIVER"] = "dead"
    project.suite("""
        @check(id="registration.registers", covers=["REG-01"])
        def test_registers(expect, driver):
            "It registers."
            expect("REG-01").equal("no socket", "", "a socket appears")

        @check(id="preparation.blocked", covers=["PREP-01"], needs=["registration.registers"])
        def test_blocked(expect, driver):
            "It needs registration."

        @check(id="preparation.unsure", covers=["PREP-01"])
        def test_unsure(expect, driver):
            "It needs a driver."

        @check(id="preparation.too", covers=["PREP-01"])
        def test_too(expect, cluster):
            "So does this."
    """)
    assert project.run().returncode == 1
    assert project.result("registration.registers").verdict == "FAIL"
    assert project.result("preparation.blocked").verdict == "BLOCKED"
    for id in ("preparation.unsure", "preparation.too"):
        assert project.result(id).verdict == "INCONCLUSIVE"
        assert "ended with status 3" in project.result(id).message
        assert "no such GPU" in project.result(id).message
    assert len([row for row in project.history("disturb") if row["action"].startswith("wait_ready")]) == 1


def test_the_driver_is_restored_after_checks_that_disturb_it(project: Project) -> None:
    project.suite("""
        @check(id="preparation.calm", covers=["PREP-01"])
        def test_calm(expect, driver):
            "It disturbs nothing."
            expect("PREP-01").true(True, "it holds")

        @check(id="preparation.kills", covers=["PREP-01"], tier=Tier.DISRUPT_DRIVER)
        def test_kills(expect, driver):
            "It kills the driver."
            expect("PREP-01").true(True, "it holds")

        @check(id="preparation.next", covers=["PREP-01"], needs=["preparation.kills"])
        def test_next(expect, driver, history):
            "It finds the driver as it was."
            expect("PREP-01").equal(history.last("disturb")["action"], "restore", "it was restored")
    """)
    assert project.run().returncode == 0
    assert [row["action"] for row in project.history("disturb")].count("restore") == 1


def test_json_of_the_history_and_of_results_holds_no_secrets(project: Project) -> None:
    project.suite("""
        @check(id="preparation.leaky", covers=["PREP-05"])
        def test_leaky(expect, cluster):
            "The driver shouts a secret."
            text = "Authorization: Bearer abcdefghijklmnop"
            expect("PREP-05").equal({"token": "sesame", "text": text}, {}, f"nobody says {text}")
    """)
    project.run()
    for path in project.report_dir.rglob("*"):
        if path.is_file() and path.name != ".lock":
            assert "sesame" not in path.read_text(), path
            assert "abcdefghijklmnop" not in path.read_text(), path
    assert json.loads((project.report_dir / "report.json").read_text())["checks"][0]["findings"]


@pytest.mark.parametrize(
    ("claims", "verdict"), [("", "NOT_APPLICABLE"), ("    features: [partitionable]\n", "BLOCKED")]
)
def test_what_a_driver_that_never_came_does_not_claim_is_not_blocked(
    project: Project, claims: str, verdict: str
) -> None:
    project.env["FAKE_DRIVER"] = "dead"
    driver = project.folder / "fake.yaml"
    driver.write_text(driver.read_text().replace("process:", f"{claims}process:"))
    project.suite("""
        @check(id="registration.registers", covers=["REG-01"])
        def test_registers(expect, driver):
            "It registers."

        @check(id="preparation.parts", covers=["PREP-01"], features=["partitionable"], needs=["registration.registers"])
        def test_parts(expect, driver):
            "It needs a feature."
    """)
    project.run()
    assert project.result("preparation.parts").verdict == verdict
    assert not [row for row in project.history("disturb") if row["action"].startswith("wait_ready")]


def test_what_cannot_be_seen_on_the_cluster_holds_nothing_up(project: Project) -> None:
    project.suite("""
        from conformance.verdict import NotRun, Unseen

        @check(id="preparation.unseen", covers=["PREP-01"])
        def test_unseen(expect, driver):
            "The calls of the kubelet are not recorded."
            raise Unseen("calls cannot be seen")

        @check(id="preparation.left_out", covers=["PREP-01"])
        def test_left_out(expect, driver):
            "It cannot be tried."
            raise NotRun("there is no hook")

        @check(id="preparation.next", covers=["PREP-02"], needs=["preparation.unseen"])
        def test_next(expect, driver):
            "It builds on the first."
            expect("PREP-02").true(True, "it holds")

        @check(id="preparation.last", covers=["PREP-02"], needs=["preparation.left_out"])
        def test_last(expect, driver):
            "It builds on the second."
            expect("PREP-02").true(True, "it holds")
    """)
    project.run()
    verdicts = {name: project.result(f"preparation.{name}").verdict for name in ("unseen", "left_out", "next", "last")}
    assert verdicts == {"unseen": "NOT_RUN", "left_out": "NOT_RUN", "next": "PASS", "last": "NOT_RUN"}


def test_a_whole_run_says_what_no_check_looks_at(project: Project) -> None:
    project.suite("""
    @check(id="registration.one", covers=["REG-01"])
    def test_one(expect, driver):
        "It registers."
        expect("REG-01").true(True, "it does")

    @check(id="registration.two", covers=["REG-02"])
    def test_two(expect, driver):
        "And again."
        expect("REG-02").true(True, "it does")
    """)
    musts = [requirement.id for requirement in catalogue().values() if requirement.level is Level.MUST]
    left = len(set(musts) - {"REG-01", "REG-02"})
    project.run()
    assert any(f"{left} MUST obligations of the catalogue" in note for note in project.report().notes)
    project.run("--check=registration.one")
    assert not any("of the catalogue" in note for note in project.report().notes)


def test_a_failure_of_our_own_cluster_is_not_the_drivers(project: Project) -> None:
    project.suite("""
    @check(id="registration.one", covers=["REG-01"])
    def test_one(expect, driver):
        "It registers."
        driver.history.record("error", where="GET /api", trace="Traceback")
        expect("REG-01").true(False, "it does")

    @check(id="registration.two", covers=["REG-02"])
    def test_two(expect, driver):
        "Nothing of ours fails here."
        expect("REG-02").true(False, "it does")
    """)
    project.run()
    assert project.result("registration.one").verdict == "INCONCLUSIVE"
    assert "own cluster failed (GET /api)" in project.result("registration.one").message
    assert project.result("registration.two").verdict == "FAIL"
