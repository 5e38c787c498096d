"""What a wrapper does to a driver."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conformance.cluster.apirules import Rule

Send = Callable[[Any], Any]
"""Passes a request on to the driver and returns its answer. Raises RpcFailed."""


@dataclass(frozen=True)
class Place:
    """Where the driver runs, as the suite told the wrapper."""

    driver: str
    node: str
    kubeconfig: Path
    plugins_dir: Path
    cdi_dir: Path


class Fault:
    """Nothing is wrong, unless a method is replaced.

    Messages are those of the version of the API that was called; a method may raise RpcFailed in a driver's place.
    """

    def __init__(self, place: Place) -> None:
        self.place = place

    def get_info(self, request: Any, send: Send) -> Any:
        """The answer to GetInfo. An endpoint in it is replaced by the wrapper's own, in front of that endpoint."""
        return send(request)

    def notify(self, request: Any, send: Send) -> Any:
        """The answer to NotifyRegistrationStatus."""
        return send(request)

    def prepare(self, request: Any, send: Send) -> Any:
        """The answer to NodePrepareResources."""
        return send(request)

    def unprepare(self, request: Any, send: Send) -> Any:
        """The answer to NodeUnprepareResources."""
        return send(request)

    def health(self, message: Any) -> Any:
        """One message of the health stream; None keeps it back. RpcFailed ends the stream."""
        return message

    def rules(self) -> Sequence[Rule]:
        """What the proxy between the driver and the API server does."""
        return ()
