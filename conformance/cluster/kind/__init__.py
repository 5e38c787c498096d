"""A real cluster for the run, made by kind: real control plane, real kubelets, real containerd."""

import sys
from pathlib import Path

from conformance.cluster.kind.backend import KindBackend, KindSettings
from conformance.cluster.kind.programs import provide
from conformance.history import History

__all__ = ["KindBackend", "KindSettings", "make_backend"]


def make_backend(
    settings: KindSettings, binaries: Path | None, run_dir: Path, history: History, log_dir: Path
) -> KindBackend:
    """A cluster for a run; its programs come from the folder given, or are found or built."""

    def programs() -> Path:
        return provide(binaries, settings.kubernetes, run_dir / "bin", lambda line: sys.stderr.write(f"{line}\n"))

    return KindBackend(run_dir, history, log_dir=log_dir, settings=settings, binaries=programs)
