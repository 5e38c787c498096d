"""Chance comes from the run's seed: one that is given, or that the run draws and tells."""

import re

from conformance.chance import Chance
from tests.session.project import Project, project

__all__ = ["project"]

CHECK = """
@check(id="preparation.drawn", covers=["PREP-01"])
def test_drawn(expect, chance):
    "It draws."
    drawn = [chance.draws.randrange(1000) for _ in range(3)]
    expect("PREP-01").true(False, f"{chance} draws {drawn}")
"""


def drawn(project: Project, *options: str) -> str:
    """What a run has drawn, and the seed that it shows."""
    run = project.run(*options)
    header = re.search(r"seed (\d+)", run.stdout)
    assert header, run.stdout
    assert project.report().settings["seed"] == int(header[1])
    sentence = project.report().checks[0].findings[0].sentence
    assert sentence.startswith(f"--conformance-seed={header[1]} draws")
    return sentence


def test_a_seed_that_is_given_again_draws_the_same(project: Project) -> None:
    project.suite(CHECK)
    first = drawn(project)
    seed = first.split()[0]
    assert drawn(project, seed) == first
    assert drawn(project, f"{seed}1") != first


def test_each_check_has_draws_of_its_own() -> None:
    draws = [Chance.of(7, check).draws.random() for check in ("a.one", "a.one", "a.two")]
    assert draws[0] == draws[1] != draws[2]
