"""A real cluster for the run, made by kind: real control plane, real kubelets, real containerd."""

import sys
from pathlib import Path

from conformance.cluster.kind import node_image
from conformance.cluster.kind.backend import KindBackend
from conformance.cluster.kind.command import Say
from conformance.cluster.kind.engine import check_engine
from conformance.cluster.kind.images import Image
from conformance.cluster.kind.programs import Programs
from conformance.cluster.kind.settings import KindSettings
from conformance.history import History
from conformance.session.rundir import RunDir

__all__ = ["KindBackend", "KindSettings", "get_node_image", "make_backend"]


def make_backend(
    settings: KindSettings,
    binaries: Path | None,
    run_dir: Path,
    history: History,
    log_dir: Path,
    say: Say = lambda line: sys.stderr.write(f"{line}\n"),
) -> KindBackend:
    """A cluster for a run; its programs are in the folder given, or found or built. `say` is told what goes on."""
    programs = Programs(binaries, settings.kubernetes, run_dir / "bin", say)
    return KindBackend(run_dir, history, log_dir=log_dir, settings=settings, programs=programs)


def get_node_image(settings: KindSettings, binaries: Path | None, say: Say) -> Image:
    """Pull or make the image of nodes if it is not there: that may take many minutes. Raises Inconclusive."""
    check_engine()
    run = RunDir.create()
    try:
        programs = Programs(binaries, settings.kubernetes, run.path / "bin", say)
        return node_image.get(settings, programs, run.path, say)
    finally:
        run.close()
