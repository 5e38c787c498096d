"""What a cluster of kind needs is got before the first check, whose time limit it would exceed."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import conformance.cluster.kind
from conformance import plugin
from conformance.check import Tier
from conformance.history import History
from conformance.session import kinds
from conformance.session.options import Settings
from conformance.session.state import SETTINGS
from conformance.verdict import Inconclusive
from tests.session.project import Project


@pytest.fixture
def config() -> Any:
    settings = Settings("reference", "kind", (), Tier.DISRUPT_NODE, (), Path(), hooks=True, timeout=1, kind_image="i")
    made = SimpleNamespace(stash=pytest.Stash())
    made.stash[SETTINGS] = settings
    return made


def backend(config: Any, folder: Path) -> Any:
    return plugin.pytest_dra_backend(config, "kind", folder, History(), folder)


def image(monkeypatch: pytest.MonkeyPatch, get: Callable[..., object]) -> None:
    monkeypatch.setattr(conformance.cluster.kind, "get_node_image", get)


def test_the_image_asked_for_is_got(config: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked = []
    image(monkeypatch, lambda settings, *_: asked.append(settings.image))
    kinds.prepare(config, config.stash[SETTINGS])
    assert asked == ["i"]
    assert backend(config, tmp_path).settings.image == "i"


def test_what_is_in_the_way_is_told_by_the_first_check(
    config: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(*_: object) -> None:
        raise Inconclusive("there is no command docker")

    image(monkeypatch, fail)
    kinds.prepare(config, config.stash[SETTINGS])
    with pytest.raises(Inconclusive, match=r"^the cluster did not come up: there is no command docker$"):
        backend(config, tmp_path)


def test_what_goes_on_is_seen_while_a_check_runs(project: Project) -> None:
    project.suite(
        """
        @check(id="preparation.good", covers=["PREP-01"])
        def test_good(expect, driver, request):
            "It holds."
            from conformance.session.kinds import say
            say(request.config, "making the cluster anew")
            print("not shown")
            expect("PREP-01").true(True, "it holds")
        """
    )
    run = project.run_apart()
    assert "making the cluster anew" in run.stderr
    assert "not shown" not in run.stdout + run.stderr
