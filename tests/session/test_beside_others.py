"""In a project that is not about conformance nothing changes, whatever options its plugins have."""

import sys

import pytest

from conformance.report.obligations import headline, standings
from tests.session.project import Project

CHECK = """
@check(id="preparation.good", covers=["PREP-01"])
def test_good(expect, driver):
    "It holds."
    expect("PREP-01").true(True, "it holds")
"""
ORDINARY = """
import sys

def test_it(request):
    assert not hasattr(request.config.option, "conformance_driver") or not request.config.option.conformance_driver
    assert "pydantic" not in sys.modules and "yaml" not in sys.modules
"""
OTHER = """
import pytest

def pytest_addoption(parser):
    parser.addoption("--driver", help="A browser.")
    parser.addoption("--kubeconfig", default="~/.kube/config")
    parser.addoption("--keep-cluster", action="store_true")
    parser.addoption("--kind-image")
    parser.addoption("--cluster-name")
    parser.addoption("--profile", action="store_true")
    parser.addoption("--check", action="store_true")

@pytest.fixture
def driver(request):
    return request.config.getoption("--driver")
"""
BOTH_ORDERS = pytest.mark.parametrize(
    "order", [("-p", "other", "-p", "conformance.plugin"), ("-p", "conformance.plugin", "-p", "other")]
)


@pytest.fixture
def plain(project: Project) -> Project:
    """A project that does not load the plugin by itself."""
    project.file("pytest.ini", "[pytest]\naddopts = -p no:cacheprovider\n")
    project.file("other.py", OTHER)
    return project


def test_without_a_driver_it_does_and_imports_nothing(plain: Project) -> None:
    plain.file("conftest.py", "")
    plain.file("test_ordinary.py", ORDINARY)
    run = plain.run_apart("-p", "conformance.plugin", driver=None)
    assert run.returncode == 0, run.stdout
    assert "conformance:" not in run.stdout
    assert not plain.report_dir.exists()


@BOTH_ORDERS
def test_options_and_fixtures_of_other_plugins_stay_theirs(plain: Project, order: tuple[str, ...]) -> None:
    plain.file("conftest.py", "")
    plain.file("test_browser.py", "def test_it(driver):\n    assert driver == 'firefox'\n")
    run = plain.run(*order, "--check", "--profile", driver="firefox")
    assert run.returncode == 0, run.stdout + run.stderr


@BOTH_ORDERS
def test_an_option_of_the_same_name_is_used(plain: Project, order: tuple[str, ...]) -> None:
    plain.suite(CHECK)
    run = plain.run(*order, "--kubeconfig=k")
    assert run.returncode == 0, run.stdout + run.stderr
    assert plain.result("preparation.good").verdict == "PASS"


@BOTH_ORDERS
def test_what_pytest_kind_is_told_of_its_cluster_counts_for_ours(plain: Project, order: tuple[str, ...]) -> None:
    plain.suite(
        """
        @check(id="preparation.settings", covers=["PREP-01"])
        def test_settings(expect, driver, request):
            "It holds."
            from conformance.session.state import SETTINGS
            settings = request.config.stash[SETTINGS]
            expect("PREP-01").equal(settings.keep_cluster, True, "the cluster is kept")
            expect("PREP-01").equal(settings.kind_image, "my/node:1", "the image is that")
        """
    )
    run = plain.run(*order, "--keep-cluster", "--kind-image=my/node:1")
    assert run.returncode == 0, run.stdout + run.stderr


@BOTH_ORDERS
def test_long_names_always_work(plain: Project, order: tuple[str, ...]) -> None:
    plain.suite(CHECK)
    run = plain.run(*order, "--conformance-driver=fake.yaml", "--conformance-check=preparation.good", driver="firefox")
    assert run.returncode == 0, run.stdout + run.stderr


def test_an_option_of_the_projects_conftest_stays(plain: Project) -> None:
    plain.file("conftest.py", OTHER)
    plain.file("test_browser.py", "def test_it(driver):\n    assert driver == 'firefox'\n")
    run = plain.run("-p", "conformance.plugin", driver="firefox")
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_plugin_may_come_in_with_a_conftest(plain: Project) -> None:
    conftest = (plain.folder / "conftest.py").read_text()
    plain.file("conftest.py", conftest + '\npytest_plugins = ["conformance.plugin"]\n')
    plain.suite(CHECK)
    assert plain.run().returncode == 0


def test_names_of_the_projects_ini_file_do_not_matter(plain: Project) -> None:
    plain.file(
        "pytest.ini",
        """
        [pytest]
        addopts = -p conformance.plugin --strict-markers
        python_files = check_*.py
        python_functions = check_*
        filterwarnings = error
        """,
    )
    plain.suite(CHECK)
    run = plain.run("suite")
    assert run.returncode == 0, run.stdout + run.stderr


def test_checks_of_a_vendor_run_beside_and_do_not_count(plain: Project) -> None:
    plain.suite(CHECK)
    plain.file(
        "test_vendor.py",
        """
        from conformance.check import check

        @check(id="acme.shines", covers=["PREP-01"], profile="vendor:acme")
        def test_shines(expect, driver):
            "It shines."
            expect("PREP-01").equal("dull", "shiny", "it shines")
        """,
    )
    run = plain.run("-p", "conformance.plugin")
    assert run.returncode == 1, run.stdout + run.stderr
    assert plain.report().outcome == "conformant"
    assert plain.report().profiles == ["core"]
    assert plain.report().reason == "acme.shines failed"
    seed = f"--conformance-seed={plain.report().settings['seed']}"
    command = f"dra-conformance run test_vendor.py --driver=fake.yaml {seed} --check=acme.shines"
    assert plain.result("acme.shines").reproduce == command


OWN = """
    from conformance.check import check
    from conformance.requirement import Level, Requirement

    POLISH = Requirement("ACME-01", Level.MUST, "Every device is shiny.", source="acme's handbook", area="acme")

    @check(id="acme.shines", covers=[POLISH], profile="{profile}")
    def test_shines(expect, driver):
        "It shines."
        expect("ACME-01").equal("dull", "shiny", "it shines")
    """


@pytest.mark.parametrize("options", [(), ("-n1",)])
def test_vendors_have_requirements_of_their_own(plain: Project, options: tuple[str, ...]) -> None:
    plain.suite(CHECK)
    plain.file("test_vendor.py", OWN.format(profile="vendor:acme"))
    run = plain.run_apart("-p", "conformance.plugin", *options)
    assert run.returncode == 1, run.stdout + run.stderr
    assert "ACME-01 (MUST): Every device is shiny." in run.stdout
    report = plain.report()
    assert report.outcome == "conformant"
    assert "ACME-01" in {requirement.id for requirement in report.requirements}
    assert "ACME-01" not in {standing.requirement.id for standing in standings(report)}
    assert headline(report).endswith("1 of 1 MUST")


def test_requirements_of_their_own_are_for_vendors(plain: Project) -> None:
    plain.file("test_vendor.py", OWN.format(profile="core"))
    run = plain.run("-p", "conformance.plugin")
    assert run.returncode == 2, run.stdout + run.stderr
    assert "profile=vendor:<name>" in run.stdout + run.stderr


def test_it_works_without_xdist_timeout_and_terminal(plain: Project) -> None:
    plain.suite(CHECK)
    off = [f"-pno:{name}" for name in ("xdist", "timeout", "terminal", "allure_pytest")]
    run = plain.run_apart("-p", "conformance.plugin", *off)
    assert run.returncode == 0, run.stdout + run.stderr


def test_python_is_recent_enough() -> None:
    assert sys.version_info >= (3, 11)
