"""Checks at the end of a run that went through several clusters at once: each of their histories is judged.

They are one story each: node names, slices and process ids of one cluster are those of another, too.
"""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from conformance.history import History
from conformance.session.state import BENCH, FOLDER, TARGET, WORKER, check_of

if TYPE_CHECKING:
    from conformance.target import Target

_OTHERS: pytest.StashKey[list[History]] = pytest.StashKey()
"""Histories of the other workers, read once for all checks at the end."""


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Judge this worker's history, then those of the others, as one check."""
    config, check = pyfuncitem.config, check_of(pyfuncitem)
    if check is None or not check.at_end or not config.stash[WORKER]:
        return None
    from conformance.rejudge import judge_each

    function: Callable[..., object] = pyfuncitem.obj
    fixtures: Mapping[str, Any] = pyfuncitem.funcargs
    names = pyfuncitem._fixtureinfo.argnames
    nodes = [node.name for node in config.stash[BENCH].backend().nodes]
    own = partial(function, **{name: fixtures[name] for name in names})
    judge_each([own, *(_again(function, fixtures, each, config.stash[TARGET], nodes) for each in _others(config))])
    return True


def _again(
    function: Callable[..., object], fixtures: Mapping[str, Any], history: History, target: "Target", nodes: list[str]
) -> Callable[[], object]:
    from conformance.rejudge import over

    return partial(over, function, history, fixtures["expect"], target, nodes)


def _others(config: pytest.Config) -> list[History]:
    if _OTHERS not in config.stash:
        from conformance.rejudge import histories
        from conformance.report.derive import rows

        own = config.stash[BENCH].history.path
        files = sorted(path for path in Path(config.stash[FOLDER]).glob("history-*.jsonl") if path != own)
        config.stash[_OTHERS] = histories(list(rows(file)) for file in files)
    return config.stash[_OTHERS]
