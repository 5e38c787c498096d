"""The driver under test as local processes."""

import errno
import os
import signal
import socket
import sys
import threading
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import conformance
from conformance.cluster.api import Api
from conformance.cluster.hooks import run_hook
from conformance.cluster.local.container import ContainerProcess, LogPlace, node_mounts
from conformance.cluster.local.process import Process
from conformance.cluster.local.readiness import bound_sockets, is_ready, sockets, unready, was_registered
from conformance.cluster.protocol import Node
from conformance.cluster.wait import wait_for
from conformance.history import History
from conformance.redact import hide
from conformance.session.rundir import RUN_VARIABLE
from conformance.target import CommandLine, Target
from conformance.verdict import Inconclusive, WaitTimeout

_STOP_PATIENCE = 5.0
_RESTART_DELAY = 0.2  # seconds; a kubelet restarts a container at once, and later after 10 s and more
_RESTARTS = 3  # in a row, without getting ready


@dataclass(eq=False)
class LocalInstance:
    """One process of the driver. `since`: the place in the history at which it was started.

    worked: this pod was registered or ready once; restarts: how often it was started again since; settled: its end was
    dealt with.
    """

    uid: str
    node: str
    process: Process | ContainerProcess
    since: int
    stop_limit: float
    next_version: bool = False
    worked: bool = False
    restarts: int = 0
    settled: bool = False

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self.process.alive

    @property
    def exit_status(self) -> int | None:
        """Exit status once it ended, negative for a signal; None before."""
        return self.process.exit_status

    def kill(self) -> None:
        """SIGKILL, and wait until it is gone."""
        self.process.kill()

    def terminate(self, timeout: float | None = None) -> int | None:
        """SIGTERM, and the exit status if it ends in time, by default limits.stop of the driver file; else None."""
        return self.process.terminate(self.stop_limit if timeout is None else timeout)

    def log_tail(self, lines: int = 20) -> str:
        """The last lines it logged, secrets redacted."""
        return self.process.log_tail(lines)


class LocalInstallation:
    """The driver under test on one node of ours, each instance a process with a pod UID of its own.

    One that worked and then ends by itself is started again with the same UID, as a kubelet does with a container.
    """

    def __init__(
        self,
        target: Target,
        node: Node,
        api: Api,
        history: History,
        *,
        values: Mapping[str, str],
        run_dir: Path,
        log_dir: Path,
        log_name: str,
        numbers: Iterator[int],
    ) -> None:
        """`values`: for the placeholders that depend on the node and its cluster; `log_name`: how log files begin.

        `numbers`: those of the instances that are to come, which are all on one machine, whatever their nodes.
        """
        self.target = target
        self.node = node
        self._api = api
        self._history = history
        self._values = values
        self._run_dir = run_dir
        self._log_dir = log_dir
        self._log_name = log_name
        self._numbers = numbers
        self._all: list[LocalInstance] = []
        self._stopping = threading.Event()

    @property
    def instances(self) -> Sequence[LocalInstance]:
        """Living instances, oldest first."""
        return [instance for instance in self._all if instance.alive]

    @property
    def state_dir(self) -> Path:
        """The folder in which the driver keeps its state."""
        return self._folders[0]

    @property
    def folders(self) -> set[Path]:
        """The folder for state and those that the driver file names, with made-up numbers and UIDs of pods."""
        return set(self._folders)

    @property
    def _folders(self) -> list[Path]:
        line = self.target.command_line({**self._values, "pod_uid": self._log_name, "instance": self._log_name})
        return [line.cwd / folder for folder in line.folders]

    def start(self, *, uid: str | None = None, next_version: bool = False) -> LocalInstance:
        """Start an instance: with the `uid` of an earlier one its container restarted, else a new pod's.

        Waits for nothing. Raises Inconclusive when there is no such program.
        """
        uid = uid or str(uuid.uuid4())
        number = next(self._numbers)
        line = self.target.command_line(
            {**self._values, "pod_uid": uid, "instance": str(number)}, next_version=next_version
        )
        _make_folders(line)
        if not self._all:
            _make_files(line)
        since = len(self._history)
        published = self._log_dir / f"{self._log_name}-{number}.log"
        private = self._run_dir / "logs" / published.name
        private.parent.mkdir(exist_ok=True)
        hide(line.argv, line.env)
        place = LogPlace(private, published, self._history, self.target.driver_name, uid, self.node.name)
        process = self._container(line, place) if line.image else self._process(line, place)
        instance = LocalInstance(uid, self.node.name, process, since, self.target.file.limits.stop, next_version)
        instance.worked = any(earlier.worked for earlier in self._all if earlier.uid == uid)
        self._all.append(instance)
        process.when_ended(partial(self._restart_container, instance))
        return instance

    def _process(self, line: CommandLine, place: LogPlace) -> Process:
        try:
            return Process(
                line.argv,
                env=self._environment(line),
                cwd=line.cwd,
                log=place.log,
                publish=place.publish,
                history=place.history,
                name=place.name,
                instance=place.instance,
                node=place.node,
            )
        except OSError as error:
            raise Inconclusive(
                f"the driver cannot be started: {error}; mend process.command in {self.target.path}"
            ) from None

    def _container(self, line: CommandLine, place: LogPlace) -> ContainerProcess:
        return ContainerProcess(line, place, mounts=node_mounts(self._values), run=str(self._run_dir))

    def _restart_container(self, ended: LocalInstance) -> None:
        """Start a process again that worked and ended although nobody told it to, unless it does so all the time."""
        ended.worked = ended.worked or was_registered(self.target, self.node, self._history, ended.since)
        try:
            if _due(ended) and not self._stopping.wait(_RESTART_DELAY):
                again = self.start(uid=ended.uid, next_version=ended.next_version)
                again.restarts = ended.restarts + 1
        finally:
            ended.settled = True

    @property
    def _restarting(self) -> bool:
        """Whether a process has ended by itself that may be started again any moment."""
        return any(not (one.alive or one.settled or one.process.told) for one in self._all)

    def wait_ready(self, *, timeout: float | None = None) -> None:
        """Wait until the newest instance is registered and its pools are published and complete.

        By default as long as limits.ready of the driver file says. Raises WaitTimeout with the likely cause and the
        last lines that the driver logged; at once when no instance lives.
        """
        if not self._all:
            raise WaitTimeout(f"driver {self.target.driver_name} was not started")
        self._wait_ready(timeout)

    def trouble(self) -> str:
        """What keeps it from being ready: the likely cause and its last log lines; "" when it is ready."""
        if not self._all:
            return f"driver {self.target.driver_name} was not started"
        newest = self._newest()
        return "" if newest.alive and not self._missing(newest) else self._trouble(newest)

    def restore(self) -> None:
        """Back to exactly one living, ready instance, whatever a check did. Raises Inconclusive when that fails."""
        for instance in self.instances[:-1]:
            instance.kill()
        self._remove_dead_sockets()
        if self.instances or self._restarting:
            with suppress(WaitTimeout):
                return self.wait_ready()
        for instance in self.instances:
            instance.kill()
        self._remove_dead_sockets()
        self.start()
        return self.wait_ready()

    def restart(self) -> LocalInstance:
        """SIGKILL the only instance and start it again with the same pod UID; wait until it is ready."""
        old = self._only()
        old.kill()
        new = self.start(uid=old.uid)
        self.wait_ready()
        return new

    @contextmanager
    def away(self) -> Iterator[None]:
        """Inside the block no instance lives: all are killed; afterwards one of a new pod is started.

        Waits for nothing. The sockets of the killed ones stay, as they do on a real node.
        """
        for instance in self.instances:
            instance.kill()
        try:
            yield
        finally:
            self.start()

    def hook(self, name: str, *, device: str = "", pool: str = "") -> None:
        """Run a hook of the driver file, such as `remove_device`, for a device. Raises NotRun, Inconclusive."""
        uid = self.instances[-1].uid if self.instances else ""
        values = {**self._values, "pod_uid": uid, "instance": ""}
        run_hook(self.target, name, values, self._history, node=self.node.name, device=device, pool=pool)

    @contextmanager
    def roll_out(self) -> Iterator[tuple[LocalInstance, LocalInstance]]:
        """(old, new): the new one started inside the block, as with maxSurge; afterwards the old one is ended.

        The new one is of the driver file's next version if it has one. Waits for nothing: whether both live and
        register is for a check to judge.
        """
        old = self._only()
        new = self.start(next_version=True)
        try:
            yield old, new
        finally:
            if old.terminate() is None:
                old.kill()

    def stop(self) -> None:
        """SIGTERM to all instances, and SIGKILL to those that have not ended after a few seconds."""
        self._stopping.set()
        alive = self.instances
        for instance in alive:
            instance.process.signal(signal.SIGTERM)
        deadline = time.monotonic() + min(_STOP_PATIENCE, self.target.file.limits.stop)
        for instance in alive:
            if instance.process.wait(max(0.0, deadline - time.monotonic())) is None:
                instance.kill()

    def _only(self) -> LocalInstance:
        alive = self.instances
        if len(alive) != 1:
            raise Inconclusive(
                f"{len(alive)} instances of driver {self.target.driver_name} live where one was expected"
            )
        return alive[0]

    def _newest(self) -> LocalInstance:
        """The newest living instance, or the last one that was started."""
        return [*self._all[-1:], *self.instances][-1]

    def _wait_ready(self, timeout: float | None = None) -> None:
        what = f"driver {self.target.driver_name} to be ready"

        def ready() -> bool:
            instance = self._newest()
            if not instance.alive:
                if self._restarting:
                    return False
                raise WaitTimeout(f"waiting for {what} is in vain: {self._trouble(instance)}")
            if not is_ready(self.target, self.node, self._api, self._history, instance.since):
                return False
            instance.worked, instance.restarts = True, 0
            return True

        timeout = self.target.ready_within if timeout is None else timeout
        wait_for(ready, what, timeout=timeout, otherwise=lambda: self._trouble(self._newest()))

    def _missing(self, instance: LocalInstance) -> str:
        return unready(self.target, self.node, self._api, self._history, instance.since)

    def _trouble(self, instance: LocalInstance) -> str:
        status = instance.exit_status
        why = self._missing(instance) if status is None else f"the command ended with status {status}"
        log = instance.log_tail()
        return f"{why}; its log {instance.process.log} ends with:\n{log}" if log else f"{why}; it logged nothing"

    def _environment(self, line: CommandLine) -> dict[str, str]:
        env = {**line.env, RUN_VARIABLE: str(self._run_dir)}
        if line.argv[0] == sys.executable:  # our own Python: let it find our packages, in a clone as well
            paths = [str(Path(conformance.__file__).parents[1]), env.get("PYTHONPATH", "")]
            env["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
        return env

    def _remove_dead_sockets(self) -> None:
        """Remove sockets that nobody listens on: what is left of instances that were killed."""
        bound = bound_sockets()
        for path in sockets(self.node.registry_dir.parent):
            # Asked only where the kernel knows no such socket: a connection is a disturbance of its own.
            if str(path) not in bound and _refused(path):
                path.unlink(missing_ok=True)


def _due(ended: LocalInstance) -> bool:
    return not ended.process.told and ended.worked and ended.restarts < _RESTARTS


def _refused(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(str(path)) == errno.ECONNREFUSED


def _make_folders(line: CommandLine) -> None:
    for folder in line.folders:
        folder.mkdir(parents=True, exist_ok=True)


def _make_files(line: CommandLine) -> None:
    """Before the first start only: what hooks have taken away since stays away."""
    for path, text in line.files.items():
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
