"""One program of the control plane as a process: started, waited for, killed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from conformance.cluster.api import Api, ApiError
from conformance.cluster.local.process import Process
from conformance.cluster.wait import wait_for
from conformance.history import History
from conformance.session.rundir import RUN_VARIABLE
from conformance.verdict import Inconclusive

_PATIENCE = 60.0  # seconds; alone on a machine each takes one or two
_LOG_LINES = 1


@dataclass(frozen=True)
class Place:
    """Where the programs run. `folder` holds their files and is their working directory."""

    folder: Path
    run_dir: Path
    log_dir: Path
    history: History
    binaries: Mapping[str, Path]


class Program:
    """One program of the control plane, from its start until it is killed."""

    def __init__(self, place: Place, name: str, flags: Mapping[str, object], ready: Callable[[], bool]) -> None:
        """`ready`: whether it is, asked while it runs."""
        self.name = name
        self._place = place
        self._flags = flags
        self._ready = ready
        self._process: Process | None = None

    def start(self) -> None:
        """Start it. Raises Inconclusive when it cannot be executed."""
        place = self._place
        argv = [str(place.binaries[self.name]), *(f"--{flag}={value}" for flag, value in self._flags.items())]
        try:
            self._process = Process(
                argv,
                env={RUN_VARIABLE: str(place.run_dir)},
                cwd=place.folder,
                log=place.log_dir / f"{self.name}.log",
                history=place.history,
                name=self.name,
                instance="control-plane",
            )
        except OSError as error:
            raise Inconclusive(f"{self.name} cannot be started: {error}") from None

    def stop(self) -> None:
        """Kill it: nothing that it knows is needed any more. May be called twice."""
        if self._process:
            self._process.kill()

    def wait_ready(self) -> None:
        """Wait until it is. Raises Inconclusive with the end of its log when it ends instead."""
        process = self._process
        assert process is not None

        def done() -> bool:
            if not process.alive:
                raise Inconclusive(
                    f"{self.name} ended with status {process.exit_status}; its log {process.log} ends with: "
                    f"{process.log_tail(_LOG_LINES)}"
                )
            return self._ready()

        wait_for(done, f"{self.name} to be ready", timeout=_PATIENCE, otherwise=lambda: process.log_tail(_LOG_LINES))


def answers(api: Api, path: str) -> bool:
    """Whether a health endpoint says that all is well."""
    try:
        api.request("GET", path)
    except ApiError:
        return False
    return True
