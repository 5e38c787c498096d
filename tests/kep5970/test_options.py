"""A driver of which only names are given: what must stand on the command line, and what is too much."""

from pathlib import Path

import pytest

from conformance.check import Tier
from conformance.kep5970 import CHECKS, PROFILE
from conformance.session.named import same_driver
from conformance.session.options import Settings
from tests.session.project import Project, project

__all__ = ["project"]

CHECK = """
@check(id="preparation.good", covers=["PREP-01"])
def test_good(expect, driver):
    "It holds."
    expect("PREP-01").true(True, "it holds")
"""
NAME, CLASS, KUBECONFIG = "--driver-name=a.example.com", "--device-class=a", "--kubeconfig=k"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ((NAME, KUBECONFIG), "--driver-name=a.example.com needs --device-class=NAME: the DeviceClass that claims"),
        ((NAME, CLASS), "--cluster=existing needs --kubeconfig=FILE"),
        (
            (NAME, CLASS, "--cluster=embedded"),
            "--driver-name is for --cluster=existing, and this is --",
        ),
        (
            (NAME, CLASS, KUBECONFIG, "--profile=core"),
            "profile=core is more than can be judged of --driver-name=a.example.com without a driver file",
        ),
        ((NAME, CLASS, KUBECONFIG, "--check=restart.recovers"), "or ask for one of registration.known, publishing."),
        ((NAME, CLASS, KUBECONFIG, "--conformance-tier=disrupt-node"), "--conformance-tier=disrupt-node is more than"),
        (("--driver-name=A_1", CLASS, KUBECONFIG), "--driver-name=A_1 is no DNS name"),
        ((NAME, "--device-class=a b", KUBECONFIG), "--device-class=a b is no DNS name"),
        ((NAME, CLASS, KUBECONFIG), "k cannot be read: No such file or directory"),
    ],
)
def test_what_is_wrong_is_told_in_one_sentence(project: Project, options: tuple[str, ...], sentence: str) -> None:
    project.suite(CHECK)
    run = project.run(*options, driver="")
    assert run.returncode == 4, run.stdout + run.stderr
    assert sentence in run.stderr
    assert not project.report_dir.exists()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ((NAME, CLASS), "both say which driver; keep one of them"),
        ((CLASS,), "--device-class=a goes with --driver-name; a driver file has its classes"),
    ],
)
def test_a_driver_file_besides_is_too_much(project: Project, options: tuple[str, ...], sentence: str) -> None:
    project.suite(CHECK)
    run = project.run(*options)
    assert run.returncode == 4, run.stdout + run.stderr
    assert sentence in run.stderr


def test_the_profile_is_the_seven_behaviours_checks_and_no_other(project: Project) -> None:
    project.suite(CHECK)
    run = project.run(f"--conformance-profile={PROFILE}", "--collect-only", "-q")
    assert run.returncode == 5, "the tiny suite has none of them"
    assert len(CHECKS) == 7


def test_the_command_that_shows_a_finding_again_names_the_driver_so() -> None:
    named = Settings(
        "", "existing", (PROFILE,), Tier.OBSERVE, (), Path("r"), True, 300, driver_name="a", device_class="b"
    )
    assert same_driver(named) == ["--driver-name=a", "--device-class=b"]
    assert same_driver(Settings("d.yaml", "kind", (), Tier.OBSERVE, (), Path("r"), True, 300)) == ["--driver=d.yaml"]
