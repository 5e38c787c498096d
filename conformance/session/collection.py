"""Collecting: which checks are selected, in which order, and whether they are the whole suite."""

import fnmatch
import sys
from collections.abc import Generator, Iterable, Sequence
from pathlib import Path

import pytest

from conformance.catalogue import all_checks
from conformance.check import Tier
from conformance.session import gate, journal, resume, strays, unwritable, waiving
from conformance.session.collected import Collected, Selected
from conformance.session.nearest import nearest
from conformance.session.options import PROFILES, Settings
from conformance.session.order import ordered
from conformance.session.profiles import belongs
from conformance.session.state import COLLECTED, FOLDER, KEPT, SETTINGS, UNSEEN, VERDICTS, WORKER, check_of, is_worker
from conformance.verdict import Verdict

SUITE = Path(__file__).parent.parent / "checks"
"""Folder of the checks that ship."""
_PATTERN = "test_*.py"


class CheckModule(pytest.Module):
    """A file of the suite: found by the suite's own names, whatever the project's ini file says."""

    def funcnamefilter(self, name: str) -> bool:
        """Whether a function of this name is a test."""
        return name.startswith("test_")


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart() -> None:
    """What Ctrl-C breaks off, from now on, makes no error of its own."""
    strays.excuse_finalizers()


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    """Collect files of the suite as such."""
    return CheckModule.from_parent(parent, path=module_path) if _of_suite(module_path) else None


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    """Collect files of the suite that the project's `python_files` leaves out."""
    if not _of_suite(file_path) or parent.session.isinitpath(file_path):
        return None
    patterns: Iterable[str] = parent.config.getini("python_files")
    if any(fnmatch.fnmatch(file_path.name, pattern) for pattern in patterns):
        return None
    return CheckModule.from_parent(parent, path=file_path)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Let `-k` know the folder of checks that pytest begins with.

    By itself it knows no folder that it begins with; that is one of the user's where --rootdir lies deeper in the same
    project, as that of `dra-conformance run` does when the virtual environment is inside it.
    """
    _, first, *_ = item.listchain()
    if isinstance(first, pytest.Directory) and first.path != item.config.rootpath and not _of_suite(item.path):
        item.extra_keyword_matches.add(first.path.name)


def _of_suite(path: Path) -> bool:
    return path.is_relative_to(SUITE) and fnmatch.fnmatch(path.name, _PATTERN)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Generator[None, object, object]:
    """Choose checks by profile and id, and put them in order; ordinary tests stay where they are, before them."""
    before = list(items)
    result = yield
    settings = config.stash[SETTINGS]
    try:
        _known_ids(before, settings)
        waiving.known(config, (check for item in before if (check := check_of(item))))
        chosen = [item for item in items if _chosen(item, settings)]
        selection = _selection(config, before, items)
        left_out = [item for item in items if item not in chosen]
        items[:] = _in_order(chosen)
        if left_out:
            config.hook.pytest_deselected(items=left_out)
        collected = Collected(_selected(items), selection)
        _leave_out_judged(config, items, collected)
    except pytest.UsageError as error:
        if not is_worker(config):
            raise
        # A usage error in a worker would end as "no tests collected"; the controller raises it instead.
        items.clear()
        collected = Collected(usage=str(error))
    _mark(config, items)
    config.stash[COLLECTED] = collected
    if is_worker(config):
        with unwritable.ends_run(config):
            collected.save(config.stash[FOLDER], config.stash[WORKER])
    return result


def _leave_out_judged(config: pytest.Config, items: list[pytest.Item], collected: Collected) -> None:
    """Of a run that goes on only what has no verdict is run; verdicts are known to those that need them.

    Raises pytest.UsageError where other checks are selected than in the beginning.
    """
    kept = config.stash.get(KEPT, None)
    if kept is None:
        return
    begun = journal.begun(config.stash[FOLDER])
    resume.refuse_selection(begun["selected"] if begun else (), [row.node_id for row in collected.selected])
    items[:] = [item for item in items if item.nodeid not in kept.results]
    if VERDICTS in config.stash:  # not in the process that hands out to workers
        for payload in kept.results.values():
            result = payload["result"]
            gate.remember(config.stash[VERDICTS], result["id"], Verdict(result["verdict"]))
            if payload["unseen"]:
                config.stash[UNSEEN].add(result["id"])


def _known_ids(items: Iterable[pytest.Item], settings: Settings) -> None:
    """Every check has an id of its own, the suite's are kept, and those asked for exist. Raises UsageError."""
    files: dict[str, object] = {}
    for item in items:
        check = check_of(item)
        if check and files.setdefault(check.id, item.location[0]) != item.location[0]:
            raise pytest.UsageError(f"{item.location[0]}: the check id {check.id} is that of {files[check.id]}, too")
        if check and not _of_suite(item.path) and check.id in all_checks():
            raise pytest.UsageError(
                f"{item.location[0]}: {check.id} is the id of a check of the suite; give another id"
            )
    for id in settings.checks:
        if id not in files:
            raise pytest.UsageError(
                f"--check={id}: there is no such check{nearest(id, files)}; see dra-conformance list"
            )


def _chosen(item: pytest.Item, settings: Settings) -> bool:
    check = check_of(item)
    if check is None:
        return not settings.checks
    if settings.checks:
        return check.id in settings.checks
    return belongs(check, settings.profiles)


def _selection(config: pytest.Config, before: Sequence[pytest.Item], after: Sequence[pytest.Item]) -> str:
    """Why these are not all checks of the suite, "" when they are."""
    settings = config.stash[SETTINGS]
    if settings.checks:
        return "only the checks named with --check ran"
    if not settings.tier.includes(Tier.DISRUPT_NODE):
        return f"only checks up to tier {settings.tier} ran"
    if PROFILES[0] not in settings.profiles:
        return f"profile {PROFILES[0]} was left out"
    if any("::" in argument for argument in config.args):
        return "only the tests named on the command line ran"
    if any(check_of(item) for item in set(before) - set(after)):
        return "checks were deselected"
    missing = set(SUITE.rglob(_PATTERN)) - {item.path for item in before}
    if missing:
        return f"{len(missing)} files of the suite were not collected"
    return ""


def _in_order(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    headers = [check for item in items if (check := check_of(item))]
    rank = {id: place for place, id in enumerate(ordered(headers))}
    place = {item: rank[check.id] if (check := check_of(item)) else -1 for item in items}
    return sorted(items, key=lambda item: place[item])


def _selected(items: Iterable[pytest.Item]) -> list[Selected]:
    return [Selected(item.nodeid, check) for item in items if (check := check_of(item))]


def _mark(config: pytest.Config, items: Iterable[pytest.Item]) -> None:
    """Give checks a time limit, and keep warnings from becoming errors: they say nothing about the driver."""
    limit = config.stash[SETTINGS].timeout
    has_timeout = config.pluginmanager.hasplugin("timeout")
    for item in items:
        if check_of(item) is None:
            continue
        item.add_marker(pytest.mark.filterwarnings("default"))
        if limit and has_timeout and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(limit))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """A worker whose arguments name what is not there has collected nothing: the controller says so."""
    config, error = session.config, sys.exc_info()[1]
    if is_worker(config) and COLLECTED not in config.stash and isinstance(error, pytest.UsageError):
        Collected(usage="\n".join(map(str, error.args))).save(config.stash[FOLDER], config.stash[WORKER])
