"""Which Backend an existing cluster is."""

from pathlib import Path

from conformance.cluster.existing.backend import ExistingBackend
from conformance.cluster.existing.by_api import ApiBackend
from conformance.cluster.existing.settings import ExistingSettings
from conformance.history import History
from conformance.target import Target


def make_backend(run_dir: Path, history: History, *, target: Target, settings: ExistingSettings) -> ExistingBackend:
    """One that looks at nodes, or one that leaves them alone."""
    kind = ApiBackend if settings.by_api else ExistingBackend
    return kind(run_dir, history, target=target, settings=settings)
