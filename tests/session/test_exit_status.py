"""Each exit status, with and without pytest-xdist."""

import pytest

from conformance.report.model import Outcome
from conformance.report.verify import verify
from tests.session.project import Project

PASSES = """
@check(id="preparation.good", covers=["PREP-01"])
def test_good(expect, driver):
    "It holds."
    expect("PREP-01").true(True, "it holds")
"""
FAILS = """
@check(id="preparation.bad", covers=["PREP-05"])
def test_bad(expect, driver):
    "It does not hold."
    expect("PREP-05").equal("error", "", "a repeated Prepare succeeds")
"""
UNSURE = """
@check(id="preparation.unsure", covers=["PREP-02"])
def test_unsure(expect, driver):
    "Nobody knows."
    raise KeyError("harness")
"""


@pytest.fixture(params=[(), ("-n1",)], ids=["alone", "xdist"])
def how(request: pytest.FixtureRequest) -> tuple[str, ...]:
    """Options that make the run one process, or several."""
    options: tuple[str, ...] = request.param
    return options


def test_0_when_every_must_holds(project: Project, how: tuple[str, ...]) -> None:
    project.suite(PASSES)
    run = project.run(*how)
    assert run.returncode == 0, run.stdout + run.stderr
    assert project.report().outcome is Outcome.CONFORMANT
    assert "PASS            preparation.good  It holds." in run.stdout


def test_1_when_a_must_is_broken(project: Project, how: tuple[str, ...]) -> None:
    project.suite(PASSES + FAILS + UNSURE)
    run = project.run(*how)
    assert run.returncode == 1, run.stdout + run.stderr
    assert project.report().outcome is Outcome.NOT_CONFORMANT
    assert "expected    that a repeated Prepare succeeds" in run.stdout
    assert "test_suite.py:" not in run.stdout.partition("FAIL preparation.bad")[2].partition("\n\n")[0]


def test_2_when_a_check_file_cannot_be_read(project: Project, how: tuple[str, ...]) -> None:
    project.suite(PASSES)
    project.suite("syntax error here", "test_wrong.py")
    assert project.run(*how).returncode == 2
    assert project.report().outcome is Outcome.INTERRUPTED


def test_3_when_the_cluster_cannot_be_taken_down(project: Project, how: tuple[str, ...]) -> None:
    project.suite(PASSES)
    project.env["FAKE_BACKEND"] = "broken"
    run = project.run(*how)
    assert run.returncode == 3, run.stdout + run.stderr
    assert project.report().outcome is Outcome.ERROR
    assert "does not go down" in project.report().reason


def test_3_when_a_hook_fails(project: Project, how: tuple[str, ...]) -> None:
    project.suite(PASSES)
    project.file("broken.py", "def pytest_runtest_makereport(item):\n    raise OSError('disk full')\n")
    assert project.run_apart("-p", "broken", *how).returncode == 3
    assert project.report().outcome is Outcome.ERROR


def test_3_when_a_worker_cannot_start(project: Project) -> None:
    project.suite(PASSES)
    project.file(
        "broken.py",
        """
        import pytest

        def pytest_configure(config):
            if hasattr(config, "workerinput"):
                raise pytest.UsageError("not in workers")
        """,
    )
    assert project.run_apart("-p", "broken", "-n1").returncode == 3


def test_4_when_there_is_no_such_check(project: Project, how: tuple[str, ...]) -> None:
    project.suite(PASSES)
    run = project.run(*how, "--check=preparation.god")
    assert run.returncode == 4, run.stdout + run.stderr
    assert "--check=preparation.god: there is no such check, did you mean preparation.good" in run.stderr
    assert not project.report_dir.exists(), "a slip of the pen makes, and removes, no report"


@pytest.mark.parametrize(
    ("argument", "hint"),
    [
        ("--conformance-profile=cor", "did you mean core"),
        ("--conformance-tier=observ", "did you mean observe"),
        ("--conformance-timeout=-1", "--conformance-timeout=-1 is no time limit; give seconds, 0 for none"),
        ("--conformance-timeout=nan", "--conformance-timeout=nan is no time limit; give seconds, 0 for none"),
        (
            "--cluster=existing",
            "--cluster=existing needs --kubeconfig=FILE, so that it is clear which cluster it is",
        ),
    ],
)
def test_4_when_an_option_has_an_unknown_value(project: Project, argument: str, hint: str) -> None:
    project.suite(PASSES)
    run = project.run(argument)
    assert run.returncode == 4, run.stdout + run.stderr
    assert hint in run.stderr


def test_4_when_no_driver_is_given(project: Project, how: tuple[str, ...]) -> None:
    project.suite(PASSES)
    run = project.run(*how, driver=None)
    assert run.returncode == 4, run.stdout + run.stderr
    assert "preparation.good is a conformance check and needs a driver: give --driver=NAME" in run.stderr


def test_4_when_the_driver_file_is_missing(project: Project) -> None:
    project.suite(PASSES)
    run = project.run(driver="no-such.yaml")
    assert run.returncode == 4
    assert "no-such.yaml does not exist" in run.stderr


def test_5_when_nothing_is_selected(project: Project, how: tuple[str, ...]) -> None:
    project.suite(PASSES)
    run = project.run(*how, "-k", "nothing")
    assert run.returncode == 5, run.stdout + run.stderr
    assert project.report().outcome is Outcome.NOTHING


def test_6_when_a_check_could_not_be_judged(project: Project, how: tuple[str, ...]) -> None:
    project.suite(PASSES + UNSURE)
    run = project.run(*how)
    assert run.returncode == 6, run.stdout + run.stderr
    assert project.report().outcome is Outcome.INCONCLUSIVE
    assert any(path.endswith("traceback.txt") for path in project.result("preparation.unsure").evidence)


def test_6_when_no_must_was_seen_to_hold(project: Project) -> None:
    project.suite("""
        @check(id="preparation.none", covers=["PREP-01"], claims=9)
        def test_none(expect, driver):
            "Too many claims."
    """)
    assert project.run().returncode == 6


def test_7_when_selected_checks_did_not_run(project: Project) -> None:
    project.suite(UNSURE + PASSES)
    run = project.run("-x")
    assert run.returncode == 7, run.stdout + run.stderr
    assert project.report().outcome is Outcome.INCOMPLETE


FATAL = """
@check(id="preparation.fatal", covers=["PREP-02"])
def test_fatal(expect, driver):
    "It kills the worker."
    import os
    os._exit(1)
"""


def test_6_when_a_worker_died_and_another_went_on(project: Project) -> None:
    project.suite(FATAL + PASSES)
    run = project.run("-n1")
    assert run.returncode == 6, run.stdout + run.stderr
    assert project.result("preparation.fatal").verdict == "INCONCLUSIVE"
    assert project.result("preparation.good").verdict == "PASS"


DIES_AFTERWARDS = """
@pytest.fixture
def deadly():
    import os
    yield
    os._exit(1)

@check(id="preparation.fatal", covers=["PREP-02"])
def test_fatal(expect, driver, deadly):
    "It is broken, and then its worker dies."
    expect("PREP-02").true({good}, "it holds")
"""


@pytest.mark.parametrize(("good", "status", "verdict"), [(False, 1, "FAIL"), (True, 6, "INCONCLUSIVE")])
def test_what_was_seen_broken_before_a_worker_died_stays_so(
    good: bool, status: int, verdict: str, project: Project
) -> None:
    project.suite("import pytest\n" + DIES_AFTERWARDS.format(good=good) + PASSES)
    run = project.run("-n1")
    assert run.returncode == status, run.stdout + run.stderr
    assert project.result("preparation.fatal").verdict == verdict
    assert verify(project.report_dir).problems == []


def test_4_when_a_worker_is_told_of_a_file_that_is_not_there(project: Project) -> None:
    project.suite(PASSES)
    assert project.run("-n1").returncode == 0
    before = (project.report_dir / "report.json").read_bytes()
    run = project.run("-n1", "no_such_file.py")
    assert run.returncode == 4, run.stdout + run.stderr
    assert "no_such_file.py" in run.stdout + run.stderr
    assert "Traceback" not in run.stdout + run.stderr
    assert (project.report_dir / "report.json").read_bytes() == before


def test_7_when_a_worker_died_and_none_went_on(project: Project) -> None:
    project.suite(FATAL + PASSES)
    run = project.run("-n1", "--max-worker-restart=0")
    assert run.returncode == 7, run.stdout + run.stderr
    assert project.report().reason == "did not run: preparation.good"


def test_an_ordinary_test_that_fails_is_1(project: Project, how: tuple[str, ...]) -> None:
    project.suite(PASSES)
    project.file("test_ordinary.py", "def test_it():\n    assert False\n")
    run = project.run(*how)
    assert run.returncode == 1, run.stdout + run.stderr
    assert project.report().reason == "1 other tests failed"


@pytest.mark.parametrize("argument", ["-kgood", "suite/test_suite.py::test_good", "--check=preparation.good"])
def test_a_selection_is_never_conformant(project: Project, argument: str) -> None:
    project.suite(PASSES + UNSURE)
    run = project.run(argument)
    assert run.returncode == 0, run.stdout + run.stderr
    assert project.report().outcome is Outcome.SELECTION


def test_a_lower_tier_is_never_conformant(project: Project) -> None:
    project.suite(PASSES)
    run = project.run("--conformance-tier=disrupt-driver")
    assert run.returncode == 0, run.stdout + run.stderr
    report = project.report()
    assert (report.outcome, report.reason) == (Outcome.SELECTION, "only checks up to tier disrupt-driver ran")


def test_a_cluster_that_does_not_show_the_kubelets_calls_is_never_conformant(project: Project) -> None:
    project.env["FAKE_NODE"] = "unseen"
    project.suite(PASSES)
    assert project.run().returncode == 0
    report = project.report()
    assert (report.outcome, report.reason) == (
        Outcome.SELECTION,
        "calls between the kubelet and the driver cannot be seen on this cluster",
    )


def test_a_profile_is_named_only_when_one_of_its_checks_judged(project: Project) -> None:
    project.suite("""
        @check(id="registration.registers", covers=["REG-01"])
        def test_registers(expect, driver):
            "It fails."
            expect("REG-01").equal("no socket", "", "a socket appears")

        @check(id="upgrade.blocked", covers=["UPG-01"], needs=["registration.registers"], profile="rolling-update")
        def test_blocked(expect, driver):
            "It needs registration."
    """)
    assert project.run().returncode == 1
    assert project.report().profiles == ["core"]


def test_collect_only_keeps_the_status_of_pytest(project: Project) -> None:
    project.suite(PASSES + FAILS)
    assert project.run("--collect-only", "-n1").returncode == 0
    assert not project.report_dir.exists()


def test_workers_share_one_report(project: Project) -> None:
    other = PASSES.replace('good"', 'killed", tier=Tier.DISRUPT_DRIVER').replace("PREP-01", "PREP-02")
    project.suite(PASSES + FAILS + UNSURE)
    project.suite(other, "test_other.py")
    run = project.run("-n2")
    assert run.returncode == 1, run.stdout + run.stderr
    assert {result.worker for result in project.report().checks} == {"gw0", "gw1"}
    ends = {(row["id"], row["worker"]) for row in project.history("check") if row["phase"] == "end"}
    assert ends == {(result.id, result.worker) for result in project.report().checks}
    assert not [path.name for path in project.report_dir.glob("history-*")]
    assert verify(project.report_dir).problems == [], "the merged history serves as well as one that was never apart"


VENDOR = """
@check(id="acme.shines", covers=["PREP-01"], profile="vendor:acme")
def test_shines(expect, driver):
    "Nobody knows whether it shines."
    raise KeyError("harness")
"""


@pytest.mark.parametrize(
    ("checks", "status", "outcome", "reason"),
    [
        (PASSES, 6, Outcome.CONFORMANT, "could not be judged: acme.shines"),
        (PASSES + FAILS, 1, Outcome.NOT_CONFORMANT, "failed: preparation.bad"),
        (PASSES + UNSURE, 6, Outcome.INCONCLUSIVE, "could not be judged: preparation.unsure"),
    ],
)
def test_a_check_of_a_vendor_that_could_not_judge_blames_nobody(
    project: Project, checks: str, status: int, outcome: Outcome, reason: str
) -> None:
    project.suite(checks + VENDOR)
    assert project.run().returncode == status
    assert (project.report().outcome, project.report().reason) == (outcome, reason)
