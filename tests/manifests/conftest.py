"""One cluster for all tests of a module, and its devices free again after each."""

from collections.abc import Callable, Iterator

import pytest

from conformance.session.rundir import RunDir

from .playground import Playground, Story, playground

Apply = Callable[[str], Story]


@pytest.fixture(scope="module")
def ground(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Playground]:
    """The cluster; a module says in ARGUMENTS with what the driver is started."""
    run = RunDir.create()
    with playground(run.path, tmp_path_factory.mktemp("logs"), *getattr(request.module, "ARGUMENTS", ())) as ground:
        yield ground
    run.close()


@pytest.fixture
def apply(ground: Playground) -> Iterator[Apply]:
    """Applies a manifest; what it brought is ended with the test."""
    stories: list[Story] = []

    def applied(manifest: str) -> Story:
        stories.append(ground.apply(manifest))
        return stories[-1]

    yield applied
    ground.untainted()
    for story in stories:
        story.end()
