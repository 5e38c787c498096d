"""Calls to a driver: each one is recorded in the history, and may be disturbed by interceptors."""

import itertools
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import grpc
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from conformance.history import History


@dataclass(frozen=True)
class Call:
    """One call that is about to be made.

    instance: the endpoint or registration socket; version: name of the gRPC service; source: `kubelet` for the
    kubelet's own calls, `check` for those that a check asked for. timeout in seconds.
    """

    method: str
    driver: str
    instance: str
    version: str
    request: Message
    timeout: float
    source: str = "kubelet"

    def with_timeout(self, timeout: float) -> "Call":
        """The same call, given up after `timeout` seconds."""
        return replace(self, timeout=timeout)


Send = Callable[[Call], Message]
Interceptor = Callable[[Call, Send], Message]
"""May change a call, delay it, make it several times or not at all; returns the answer, or raises RpcFailed."""


_CLOSING = "grpc: the client connection is closing"
_STOPPING = "the kubelet is stopping"
_GO_WORDS = {
    "Deadline Exceeded": "context deadline exceeded",
    "Locally cancelled by application!": "context canceled",
    "Channel closed!": _CLOSING,
    "Socket closed": "error reading from server: EOF",
}
_GO_PATTERNS = (
    (
        re.compile(r"eceived message larger than max \((\d+) vs\. (\d+)\)"),
        "grpc: received message larger than max ({} vs. {})",
    ),
    (
        re.compile(r"failed to connect to all addresses; last error: \w+: unix:(\S*): .*?([^:]*)$"),
        'connection error: desc = "transport: Error while dialing: dial unix {}: connect: {}"',
    ),
)
_OURS = {"Locally cancelled by application!", "Channel closed!", _CLOSING, _STOPPING}


def ended_by_kubelet(code: str, details: str) -> bool:
    """Whether the kubelet itself gave a call up, as when a plugin is registered anew: no answer of the driver."""
    return code == "CANCELLED" and details in _OURS


class RpcFailed(Exception):
    """A call ended with another status than OK. `code` is its gRPC name, `text` what grpc-go would print."""

    def __init__(self, code: str, details: str) -> None:
        self.code = code
        self.details = details
        # grpc-go has its own words for these, and they end in the pod's events.
        super().__init__(f"rpc error: code = {go_code(code)} desc = {_go_words(details)}")


def go_code(code: str) -> str:
    """The name that Go has for a code: "DeadlineExceeded" for "DEADLINE_EXCEEDED"."""
    if code in ("OK", "CANCELLED"):
        return code if code == "OK" else "Canceled"
    return "".join(part.capitalize() for part in code.split("_"))


def _go_words(details: str) -> str:
    for pattern, words in _GO_PATTERNS:
        if found := pattern.search(details):
            first, last = found.groups()
            return words.format(first, last.strip().lower())
    return _GO_WORDS.get(details, details)


class _Closed(Exception):
    """No call can be made any more; the text says why."""


class Caller:
    """Makes calls for one node; `interceptors` are asked in order, the last one is nearest to the driver."""

    def __init__(self, node: str, history: History) -> None:
        self.node = node
        self.history = history
        self.interceptors: list[Interceptor] = []
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self._running: dict[Any, int] = {}
        self._closed = False

    def call(self, call: Call, method: Any) -> Any:
        """Make the call with a stub's method and return the response. Raises RpcFailed."""

        def send(call: Call) -> Message:
            return self._send(call, method)

        through: Send = send
        for interceptor in reversed(tuple(self.interceptors)):
            through = _through(interceptor, through)
        return through(call)

    def stream(self, call: Call, method: Any, take: Callable[[Any], None]) -> None:
        """Make a call that answers with a stream, until it ends; each message is recorded (phase message) and taken.

        Interceptors are not asked. Raises RpcFailed when it ends with another status than OK.
        """
        shared = self._begin(call)
        began = time.monotonic()
        code, details = self._read(call, method, shared, take)
        self.history.record(
            "rpc", phase="end", code=code, details=details, response=None, seconds=time.monotonic() - began, **shared
        )
        if code != "OK":
            raise RpcFailed(code, details)

    def _read(self, call: Call, method: Any, shared: dict[str, Any], take: Callable[[Any], None]) -> tuple[str, str]:
        try:
            stream = self._started(lambda: method(call.request))
        except _Closed as error:
            return "CANCELLED", str(error)
        try:
            for response in stream:
                self.history.record("rpc", phase="message", response=as_dict(response), **shared)
                take(response)
        except grpc.RpcError:
            return stream.code().name, stream.details() or ""
        finally:
            self._ended(stream)
        return "OK", ""

    def cancel(self, thread: int) -> None:
        """Cancel the call that a thread waits for, if there is one."""
        with self._lock:
            running = [call for call, owner in self._running.items() if owner == thread]
        for call in running:
            call.cancel()

    def open(self) -> None:
        """Let calls through again after `close`."""
        with self._lock:
            self._closed = False

    def close(self) -> None:
        """Cancel all calls in flight and refuse new ones: the kubelet stops."""
        with self._lock:
            self._closed = True
            running = list(self._running)
        for future in running:
            future.cancel()

    def _begin(self, call: Call) -> dict[str, Any]:
        """Record the start; what the later records of the call have in common with it."""
        shared = {
            "id": f"{self.node}-{next(self._numbers)}",
            "method": call.method,
            "node": self.node,
            "driver": call.driver,
            "instance": call.instance,
            "version": call.version,
            "source": call.source,
            "request": as_dict(call.request),
        }
        self.history.record("rpc", phase="start", **shared)
        return shared

    def _started(self, begin: Callable[[], Any]) -> Any:
        """Begin a call and know of it until `_ended`. Raises _Closed."""
        with self._lock:
            if self._closed:
                raise _Closed(_STOPPING)
            try:
                running = begin()
            except ValueError:  # the channel was closed: the plugin went away meanwhile
                raise _Closed(_CLOSING) from None
            self._running[running] = threading.get_ident()
            return running

    def _ended(self, running: Any) -> None:
        with self._lock:
            self._running.pop(running, None)

    def _send(self, call: Call, method: Any) -> Message:
        shared = self._begin(call)
        began = time.monotonic()
        response, code, details = self._outcome(call, method)
        self.history.record(
            "rpc",
            phase="end",
            code=code,
            details=details,
            response=None if response is None else as_dict(response),
            seconds=time.monotonic() - began,
            **shared,
        )
        if response is None:
            raise RpcFailed(code, details)
        return response

    def _outcome(self, call: Call, method: Any) -> tuple[Message | None, str, str]:
        try:
            future = self._started(lambda: method.future(call.request, timeout=call.timeout))
        except _Closed as error:
            return None, "CANCELLED", str(error)
        try:
            return future.result(), "OK", ""
        except (grpc.RpcError, grpc.FutureCancelledError):
            return None, future.code().name, future.details() or ""
        finally:
            self._ended(future)


def _through(interceptor: Interceptor, send: Send) -> Send:
    return lambda call: interceptor(call, send)


def as_dict(message: Message) -> dict[str, Any]:
    """A message as JSON with the field names of the .proto files; fields that are not set are there too."""
    return MessageToDict(message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)
