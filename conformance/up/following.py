"""Telling what happens on a kept cluster: drivers that register, end, and are started again."""

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from signal import Signals

from conformance.cluster.api import ApiError
from conformance.cluster.local.installation import LocalInstallation
from conformance.history import Event, History
from conformance.up.connections import Connections
from conformance.verdict import Unjudged

_LONG = 3600.0  # seconds; it is only asked anew then


class Follower:
    """Tells of events of a history as they come, and sees to it that a driver that was ready again may end again."""

    def __init__(
        self, history: History, installations: Sequence[LocalInstallation], say: Callable[[str], object]
    ) -> None:
        self._history = history
        self._installations = {one.target.driver_name: one for one in installations}
        self._say = say
        self._waiting: set[str] = set()
        self._since = len(history)
        self._connections = Connections()
        for event in history.events("kubelet", lambda event: event.seq < self._since):
            self._connections.told(event)
        self._logs = {event["pid"]: event["log"] for event in history.events("process") if event["phase"] == "started"}

    def follow(self) -> None:
        """Go on until an exception, such as KeyboardInterrupt, ends it."""
        while True:
            event = self._history.wait(None, _worth_telling, since=self._since, timeout=_LONG)
            if event:
                self._since = event.seq + 1
                self._tell(event)

    def _tell(self, event: Event) -> None:
        if event.kind == "kubelet":
            if said := self._connections.told(event):
                self._say(said)
        elif event["phase"] == "started":
            self._logs[event["pid"]] = event["log"]
            for driver in self._drivers_of(event["name"]):
                self._connections.started_again(driver)
            self._say(f"{event['name']} was started again as process {event['pid']}; its log: {event['log']}")
        else:
            for driver in self._drivers_of(event["name"]):
                self._connections.ended(driver)
            self._say(f"{event['name']} ended with {_how(event['status'])}; its log: {self._logs.get(event['pid'])}")
            self._see_to(event["name"])

    def _drivers_of(self, name: str) -> list[str]:
        """All drivers of the process that is called by the first one's name."""
        installation = self._installations.get(name)
        return [driver.name for driver in installation.target.file.drivers] if installation else []

    def _see_to(self, driver: str) -> None:
        """Wait in a thread until the driver is ready again: only then is it started again after another end."""
        installation = self._installations.get(driver)
        if installation and driver not in self._waiting:
            self._waiting.add(driver)
            threading.Thread(target=self._wait, args=(driver, installation), daemon=True).start()

    def _wait(self, driver: str, installation: LocalInstallation) -> None:
        try:
            with suppress(ApiError):  # the cluster ends
                installation.wait_ready()
                self._say(f"{driver} is ready again")
        except Unjudged as error:
            self._say(f"{driver} is not ready again: {error}")
        finally:
            self._waiting.discard(driver)


def _worth_telling(event: Event) -> bool:
    return event.kind == "kubelet" or (event.kind == "process" and event["phase"] in ("started", "exited"))


def _how(status: int) -> str:
    return f"signal {Signals(-status).name}" if status < 0 else f"status {status}"
