"""Imports point one way: checks > target, cluster > core; the report knows no cluster, the drivers know no suite."""

import pytest

from tests.repository.sources import code, imports

CORE = ("verdict", "requirement", "advice", "history", "parts", "redact", "check", "expect")
ABOVE_CORE = tuple(
    f"conformance.{name}" for name in ("target", "cluster", "checks", "report", "session", "up", "plugin")
)
# A check may use the CEL engine; it never reaches into the parts of one kind of cluster.
PARTS = (
    *(f"cluster.embedded.{name}" for name in ("apiserver", "controllers")),
    *(f"cluster.{name}" for name in ("local", "control_plane", "binaries")),
)
# The folder of a run knows nothing of sessions; clusters need its name for the environment variable.
RUN_FOLDER = "conformance.session.rundir"

MUST_NOT_IMPORT = {
    "fakegpu": ("conformance", "reference_driver"),
    "reference_driver": ("conformance",),
    "conformance/target": tuple(
        f"conformance.{name}" for name in ("cluster", "checks", "report", "session", "up", "plugin")
    ),
    "conformance/cluster": tuple(f"conformance.{name}" for name in ("checks", "report", "session", "up", "plugin")),
    "conformance/report": tuple(
        f"conformance.{name}" for name in ("cluster", "checks", "index", "session", "up", "plugin")
    ),
    "conformance/index": tuple(
        f"conformance.{name}" for name in ("cluster", "checks", "session", "up", "plugin", "target")
    ),
    "conformance/checks": tuple(f"conformance.{name}" for name in ("report", "session", "up", "plugin", *PARTS)),
    "conformance/session": ("conformance.up",),
    "conformance/up": tuple(f"conformance.{name}" for name in ("checks", "report", "session", "plugin")),
    **{f"conformance/{name}.py": ABOVE_CORE for name in CORE},
}


@pytest.mark.parametrize("place", MUST_NOT_IMPORT)
def test_imports_point_one_way(place: str) -> None:
    found = [
        f"{path} imports {name}"
        for path in code(place.partition("/")[0])
        if str(path) == place or str(path).startswith(f"{place}/")
        for name in imports(path)
        if not name.startswith(RUN_FOLDER)
        and any(name == other or name.startswith(f"{other}.") for other in MUST_NOT_IMPORT[place])
    ]
    assert sorted(set(found)) == []


def test_nothing_that_ships_imports_the_tests() -> None:
    shipped = code("conformance", "fakegpu", "reference_driver")
    assert [str(path) for path in shipped if any(name.partition(".")[0] == "tests" for name in imports(path))] == []
