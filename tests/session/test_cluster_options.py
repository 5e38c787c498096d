"""Options of one kind of cluster: refused on another, and repeated in the command that shows a finding again."""

from pathlib import Path
from typing import Any

import pytest

from conformance.check import Tier
from conformance.session.options import Settings
from tests.session.project import Project, project

__all__ = ["project"]

CHECK = """
@check(id="preparation.good", covers=["PREP-01"])
def test_good(expect, driver):
    "It holds."
    expect("PREP-01").true(True, "it holds")
"""


@pytest.mark.parametrize(
    ("cluster", "option", "wanted"),
    [
        ("embedded", "--kubeconfig=prod.yaml", "--kubeconfig is for --cluster=existing"),
        ("embedded", "--node=a", "--node is for --cluster=existing"),
        ("kind", "--node-image=python:3", "--node-image is for --cluster=existing"),
        ("embedded", "--keep-cluster", "--keep-cluster is for --cluster=kind"),
        ("control-plane", "--conformance-no-tap", "--conformance-no-tap is for --cluster=kind"),
        ("embedded", "--kubernetes-version=1.36.3", "is for --cluster=control-plane or --cluster=kind"),
        ("kind", "--kubernetes-version=1.20.0", "has no resource.k8s.io/v1; give 1.34 or a newer one"),
    ],
)
def test_an_option_of_another_cluster_is_refused(project: Project, cluster: str, option: str, wanted: str) -> None:
    project.suite(CHECK)
    run = project.run(f"--cluster={cluster}", option)
    assert run.returncode == 4, run.stdout + run.stderr
    assert wanted in run.stderr
    assert not project.report_dir.exists()


def settings(cluster: str, tier: Tier, **more: Any) -> Settings:
    return Settings("d.yaml", cluster, (), tier, (), Path("report"), hooks=True, timeout=300, **more)


def test_the_same_cluster_again() -> None:
    assert settings("embedded", Tier.DISRUPT_NODE).same_cluster == []
    kind = settings("kind", Tier.OBSERVE, kubernetes_version="1.35.4", real_timers=True, tap=False)
    assert kind.same_cluster == [
        *("--cluster=kind", "--conformance-tier=observe", "--kubernetes-version=1.35.4"),
        *("--real-timers", "--conformance-no-tap"),
    ]
    existing = settings("existing", Tier.DISRUPT_DRIVER, kubeconfig=Path("/k"), nodes=("a", "b"))
    assert existing.same_cluster == [
        *("--cluster=existing", "--kubeconfig=/k", "--node=a", "--node=b"),
        "--conformance-tier=disrupt-driver",
    ]
