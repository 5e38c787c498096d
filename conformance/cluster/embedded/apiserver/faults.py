"""Faults of the API server that checks ask for: some requests are refused, or the server is away."""

from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

from conformance.cluster.api_errors import ApiError
from conformance.cluster.embedded.apiserver.request import RequestInfo
from conformance.cluster.embedded.apiserver.status import conflict, failure, not_found

Match = Callable[[RequestInfo], bool]

_REASONS = {
    429: ("TooManyRequests", "the server has received too many requests and has asked us to try again later"),
    500: ("InternalError", "Internal error occurred: injected by the conformance suite"),
    503: ("ServiceUnavailable", "the server is currently unable to handle the request"),
}


@dataclass
class Fault:
    """Requests that match are answered with `status`, `times` times; `taken` counts how often that happened."""

    match: Match
    status: int
    times: int
    taken: int = 0


class Faults:
    """The faults that are in force."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._faults: list[Fault] = []

    def add(self, match: Match, status: int, times: int = 1) -> Fault:
        """Answer the next `times` requests that match with an HTTP status: 404, 409, 429, 500, 503 or another one.

        `match` runs in the server's thread: it may only look at the request.
        """
        fault = Fault(match, status, times)
        with self._lock:
            self._faults.append(fault)
        return fault

    def clear(self) -> None:
        """End all faults."""
        with self._lock:
            self._faults.clear()

    def strike(self, info: RequestInfo) -> None:
        """Raises the ApiError that a fault has for this request."""
        with self._lock:
            fault = next((f for f in self._faults if f.taken < f.times and f.match(info)), None)
            if fault is None:
                return
            fault.taken += 1
        raise _error(fault.status, info)


def _error(code: int, info: RequestInfo) -> ApiError:
    if code == 409 and info.resource is not None:
        return conflict(info.resource, info.name)
    if code == 404 and info.resource is not None:
        return not_found(info.resource, info.name)
    reason, message = _REASONS.get(code, ("Unknown", f"injected by the conformance suite with status {code}"))
    return failure(code, reason, message)
