"""What the command line must say before anything is done on a cluster of somebody's."""

import pytest

from tests.session.project import Project, project

__all__ = ["project"]

CHECK = """
@check(id="preparation.good", covers=["PREP-01"])
def test_good(expect, driver):
    "It holds."
    expect("PREP-01").true(True, "it holds")
"""


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ((), "--cluster=existing needs --kubeconfig=FILE, so that it is clear which cluster it is"),
        (("--kubeconfig=k", "--conformance-tier=disrupt-driver"), "name them with --node=NAME"),
        (("--kubeconfig=k", "--conformance-tier=disrupt-node"), "name them with --node=NAME"),
        (
            ("--kubeconfig=k", "--conformance-tier=observ"),
            "--conformance-tier=observ is not known, did you mean observe",
        ),
        (("--kubeconfig=k",), "k cannot be read: No such file or directory"),
        (
            ("--kubeconfig=k", "--conformance-tier=disrupt-node", "--node=a"),
            "k cannot be read: No such file or directory",
        ),
        (("--conformance-kubeconfig=k",), "k cannot be read: No such file or directory"),
    ],
)
def test_what_is_missing_is_told_in_one_sentence(project: Project, options: tuple[str, ...], sentence: str) -> None:
    project.suite(CHECK)
    run = project.run("--cluster=existing", *options)
    assert run.returncode == 4, run.stdout + run.stderr
    assert sentence in run.stderr
    assert not project.report_dir.exists()
