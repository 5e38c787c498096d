"""The driver under test as a container, in place of a process of this machine.

It has the machine's network, so that it reaches the API server, and the node's folders: where they are here, and where
they are on a real node, for drivers that have their paths built in. What a harness that was killed has left is removed
when the next one starts a container.
"""

import os
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from signal import Signals
from typing import Any

from conformance.cluster.local.process import end_of
from conformance.history import History
from conformance.redact import redact_text
from conformance.session.rundir import RUN_VARIABLE
from conformance.target import CommandLine
from conformance.verdict import Inconclusive

LABEL = "dra-conformance.run"
"""Label of every container, with the folder of its run."""

_PATIENCE = 7 * 86_400  # seconds for an answer of the engine: also for one that comes when the container ends
_SIGNALLED = 128  # an exit status above it is this number and that of a signal


@dataclass(frozen=True)
class LogPlace:
    """Where the output of one instance goes, and who it is in the history; as the arguments of Process."""

    log: Path
    publish: Path
    history: History
    name: str
    instance: str
    node: str


def node_mounts(values: Mapping[str, str]) -> dict[str, str]:
    """What of a node is mounted where, by the values of placeholders: all where it is here, and as on a real node."""
    same = (values["node_root"], values["kubeconfig"])
    usual = {
        values["plugins_dir"]: "/var/lib/kubelet/plugins",
        values["registry_dir"]: "/var/lib/kubelet/plugins_registry",
        values["cdi_dir"]: "/var/run/cdi",
    }
    return {**{path: path for path in same}, **usual}


class ContainerProcess:
    """A container with the words of Process; its output goes to a file, its start and end into the history."""

    def __init__(self, line: CommandLine, place: LogPlace, *, mounts: Mapping[str, str], run: str) -> None:
        """Start it; `run`: the folder of the run. Raises Inconclusive with what the engine says."""
        self.told = False
        self.log = place.publish
        self._place = place
        self._who = {"name": place.name, "instance": place.instance, "node": place.node}
        self._telling = threading.Lock()
        self._ended = threading.Event()
        self._status: int | None = None
        try:
            remove_leftovers()
            self._container = _start(line, mounts, run)
            self.pid = int(self._container.attrs["State"]["Pid"])
        except Exception as error:
            image = line.image.reference if line.image else ""
            raise Inconclusive(f"a container of {image} cannot be started: {' '.join(str(error).split())}") from None
        place.history.record(
            "process", phase="started", pid=self.pid, argv=list(line.argv), log=str(self.log), **self._who
        )
        self._in_thread(self._watch)

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return not self._ended.is_set()

    @property
    def exit_status(self) -> int | None:
        """Exit status once it ended, negative for a signal; None before."""
        return self._status if self._ended.is_set() else None

    def wait(self, timeout: float) -> int | None:
        """The exit status, waited for at most `timeout` seconds; None when it still runs."""
        self._ended.wait(timeout)
        return self.exit_status

    def when_ended(self, call: Callable[[], None]) -> None:
        """Call `call` once, in a thread of its own, when it has ended; at once when it already has."""

        def wait_and_call() -> None:
            self._ended.wait()
            call()

        self._in_thread(wait_and_call)

    def signal(self, number: Signals) -> None:
        """Send a signal to its first process; nothing happens when it has ended."""
        with self._telling:
            if self.alive:
                self.told = True
                self._place.history.record("process", phase="signalled", pid=self.pid, signal=number.name, **self._who)
                with suppress(_engine_error()):  # it may just have ended
                    self._container.kill(number.name)

    def kill(self) -> None:
        """SIGKILL it and all that it started, and wait until it is gone."""
        self.signal(Signals.SIGKILL)
        self._ended.wait()

    def terminate(self, timeout: float) -> int | None:
        """SIGTERM, and the exit status if it ends within `timeout` seconds; None when it is left running."""
        self.signal(Signals.SIGTERM)
        return self.wait(timeout)

    def log_tail(self, lines: int = 20) -> str:
        """The last lines that it wrote, secrets redacted."""
        return "\n".join(redact_text(end_of(self._place.log)).splitlines()[-lines:])

    def _in_thread(self, work: Callable[[], None]) -> None:
        threading.Thread(target=work, name=f"container-{self.pid}", daemon=True).start()

    def _watch(self) -> None:
        """Take its output until it ends, and then what its end was."""
        status = 0
        try:
            waiting = threading.Thread(target=self._take_output, name=f"output-{self.pid}", daemon=True)
            waiting.start()
            status = int(self._container.wait()["StatusCode"])
            waiting.join()
        finally:
            with suppress(_engine_error()):
                self._container.remove(force=True)
            self._status = status if status <= _SIGNALLED else _SIGNALLED - status
            with suppress(OSError):
                text = self._place.log.read_text(encoding="utf-8", errors="replace")
                self.log.write_text(redact_text(text), encoding="utf-8")
            self._place.history.record("process", phase="exited", pid=self.pid, status=self._status, **self._who)
            self._ended.set()

    def _take_output(self) -> None:
        with self._place.log.open("wb", buffering=0) as output, suppress(_engine_error()):
            for part in self._container.logs(stream=True, follow=True):
                output.write(part)


def remove_leftovers() -> None:
    """Remove containers of runs that are gone, folder and all. Raises what the engine's client raises."""
    for container in _engine().containers.list(all=True, filters={"label": LABEL}):
        if not Path(container.labels[LABEL]).exists():
            with suppress(_engine_error()):  # another run may be removing it
                container.remove(force=True)


def _start(line: CommandLine, mounts: Mapping[str, str], run: str) -> Any:
    from testcontainers.core.config import testcontainers_config
    from testcontainers.core.container import DockerContainer

    assert line.image
    testcontainers_config.ryuk_disabled = True  # it would be an image of its own to pull
    made = DockerContainer(line.image.reference, docker_client_kw={"timeout": _PATIENCE}).with_kwargs(
        network_mode="host", labels={LABEL: run}, privileged=line.image.privileged, **_user()
    )
    if line.argv:
        made = made.with_command(list(line.argv))
    for name, value in {**line.env, RUN_VARIABLE: run}.items():
        made = made.with_env(name, value)
    for path, inside in {**mounts, **{str(path): inside for path, inside in line.image.mounts.items()}}.items():
        made = made.with_volume_mapping(path, inside, "rw")
    container = made.start().get_wrapped_container()
    container.reload()
    return container


def _user() -> dict[str, str]:
    """Who it runs as: who runs the suite, so that what it leaves in the node's folders can be removed."""
    return {"user": f"{os.getuid()}:{os.getgid()}"} if os.getuid() else {}


def _engine() -> Any:
    from testcontainers.core.docker_client import DockerClient

    return DockerClient().client


def _engine_error() -> type[Exception]:
    from docker.errors import DockerException

    found: type[Exception] = DockerException
    return found
