"""Telling what happens on a kept cluster: drivers that register, end, and are started again."""

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from signal import Signals

from conformance.cluster.api import ApiError
from conformance.cluster.local.installation import LocalInstallation
from conformance.history import Event, History
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
        self._logs = {event["pid"]: event["log"] for event in history.events("process") if event["phase"] == "started"}

    def follow(self) -> None:
        """Go on until an exception, such as KeyboardInterrupt, ends it."""
        since = len(self._history)
        while True:
            event = self._history.wait(None, _worth_telling, since=since, timeout=_LONG)
            if event:
                since = event.seq + 1
                self._tell(event)

    def _tell(self, event: Event) -> None:
        if event.kind == "kubelet":
            gone = event["action"] == "deregistered"
            self._say(f"driver {event['driver']} is {'no longer ' if gone else ''}registered on {event['node']}")
        elif event["phase"] == "started":
            self._logs[event["pid"]] = event["log"]
            self._say(f"{event['name']} was started again as process {event['pid']}; its log: {event['log']}")
        else:
            self._say(f"{event['name']} ended with {_how(event['status'])}; its log: {self._logs.get(event['pid'])}")
            self._see_to(event["name"])

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
    if event.kind == "kubelet":
        return event["action"] in ("registered", "deregistered")
    return event.kind == "process" and event["phase"] in ("started", "exited")


def _how(status: int) -> str:
    return f"signal {Signals(-status).name}" if status < 0 else f"status {status}"
