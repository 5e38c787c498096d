"""The harness's end of the connection to an agent on a node: operations, and connections to unix sockets there."""

import itertools
import json
import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from pathlib import Path
from typing import Any, Protocol

from conformance.cluster.existing import agent
from conformance.cluster.existing.agent import Frames, pack
from conformance.verdict import Inconclusive

_ANSWERS_WITHIN = 90.0
BOOTSTRAP = "import sys; r = sys.stdin.buffer; n = int(r.readline()); exec(compile(r.read(n), 'agent', 'exec'))"
"""What `python3 -c` runs at first: it reads the agent's text from standard input. Arguments after it: root, alive."""


class Transport(Protocol):
    """Standard input and output of a process on a node."""

    def send(self, data: bytes) -> None:
        """Send all of it; returns without waiting for the other side. Raises OSError when the connection has ended."""
        ...

    def receive(self) -> bytes:
        """What comes next, b"" when the process or the connection has ended."""
        ...

    def close(self) -> None:
        """End it. May be called twice."""
        ...

    def last_words(self) -> str:
        """What is known of why it ended."""
        ...


class Stream:
    """One connection to a unix socket of the node. `pid`: the process there that listens."""

    def __init__(self, link: "Link", number: int, got: Callable[[bytes], None], ended: Callable[[], None]) -> None:
        self.got = got
        self.ended = ended
        self.opened: Future[int] = Future()
        self._link = link
        self._number = number

    def send(self, data: bytes) -> None:
        """Send it on. Raises OSError when the connection to the node has ended."""
        self._link.frame(self._number, agent.DATA, data)

    def close(self) -> None:
        """End the connection on the node."""
        self._link.end(self._number)


class Link:
    """One agent. Safe to share between threads; what goes wrong with the agent is Inconclusive."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self._calls: dict[int, Future[Any]] = {}
        self._streams: dict[int, Stream] = {}
        self._closed = False
        self._began: Future[bool] = Future()
        self._thread = threading.Thread(target=self._read, name="agent", daemon=True)

    def start(self, within: float) -> None:
        """Send the agent its text and wait for its first sign of life. Raises Inconclusive."""
        text = Path(agent.__file__).read_bytes()
        self._thread.start()
        try:
            self._transport.send(f"{len(text)}\n".encode() + text)
            self._began.result(timeout=within)
        except (OSError, FutureTimeout):
            self.close()
            raise Inconclusive(f"the agent on the node does not answer: {self._transport.last_words()}") from None

    @property
    def alive(self) -> bool:
        """Whether the agent can be talked to."""
        return not self._closed

    def call(self, operation: str, **arguments: Any) -> Any:
        """What an operation of the agent returns. Raises Inconclusive."""
        number, answer = next(self._numbers), Future[Any]()
        with self._lock:
            self._calls[number] = answer
        try:
            self.frame(number, agent.CALL, json.dumps({"operation": operation, "arguments": arguments}).encode())
            told = answer.result(timeout=_ANSWERS_WITHIN)
        except OSError:
            raise Inconclusive(f"the connection to the node has ended: {self._transport.last_words()}") from None
        except FutureTimeout:
            raise Inconclusive(f"the agent on the node did not answer {operation} in {_ANSWERS_WITHIN:g} s") from None
        finally:
            with self._lock:
                self._calls.pop(number, None)
        if "error" in told:
            raise Inconclusive(f"{operation} failed on the node: {told['error']}")
        return told["value"]

    def open(self, path: str, got: Callable[[bytes], None], ended: Callable[[], None]) -> Stream:
        """A connection to a unix socket of the node; its future `opened` has the listener's pid, or an OSError.

        `got` is told what comes, `ended` that the other side has ended it; both in the thread that reads.
        """
        number = next(self._numbers)
        stream = Stream(self, number, got, ended)
        with self._lock:
            self._streams[number] = stream
        try:
            self.frame(number, agent.OPEN, path.encode())
        except OSError as error:
            stream.opened.set_exception(error)
        return stream

    def end(self, number: int) -> None:
        """Forget a stream, and have the agent end it."""
        with self._lock:
            known = self._streams.pop(number, None)
        if known:
            try:
                self.frame(number, agent.END)
            except OSError:
                return

    def frame(self, number: int, kind: int, payload: bytes = b"") -> None:
        """Send one frame. Raises OSError when the connection has ended."""
        if self._closed:
            raise BrokenPipeError("the connection to the node has ended")
        self._transport.send(pack(number, kind, payload))

    def close(self) -> None:
        """End the agent. May be called twice."""
        self._transport.close()
        if self._thread.ident is not None and self._thread is not threading.current_thread():
            self._thread.join()
        self._lost()

    def _read(self) -> None:
        frames = Frames()
        while data := self._transport.receive():
            for number, kind, payload in frames.feed(data):
                self._take(number, kind, payload)
        self._lost()

    def _take(self, number: int, kind: int, payload: bytes) -> None:
        with self._lock:
            call, stream = self._calls.get(number), self._streams.get(number)
        if kind == agent.TICK and not self._began.done():
            self._began.set_result(True)
        elif kind == agent.ANSWER and call:
            call.set_result(json.loads(payload))
        elif stream and kind == agent.OPENED:
            stream.opened.set_result(int(payload))
        elif stream and kind == agent.REFUSED:
            stream.opened.set_exception(ConnectionRefusedError(payload.decode()))
        elif stream and kind == agent.DATA:
            stream.got(payload)
        elif stream and kind == agent.END:
            with self._lock:
                self._streams.pop(number, None)
            stream.ended()

    def _lost(self) -> None:
        """Nobody waits for an agent that is gone."""
        self._closed = True
        with self._lock:
            calls, streams = list(self._calls.values()), list(self._streams.values())
            self._calls.clear()
            self._streams.clear()
        gone = BrokenPipeError("the connection to the node has ended")
        for future in [*calls, *(stream.opened for stream in streams), self._began]:
            if not future.done():
                future.set_exception(gone)
        for stream in streams:
            stream.ended()
