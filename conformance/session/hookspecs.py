"""Hooks that this plugin offers to others."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conformance.cluster import Backend
    from conformance.history import History


@pytest.hookspec(firstresult=True)
def pytest_dra_backend(
    config: pytest.Config, kind: str, run_dir: Path, history: "History", log_dir: Path
) -> "Backend | None":
    """Make the cluster of a kind for one process of the run; it is started and stopped by the plugin.

    run_dir: private folder with a short path; log_dir: folder for logs, which stays as part of the report.
    """
