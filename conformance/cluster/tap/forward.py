"""Passing a call on to a driver, with its answer, its error and its cancellation."""

import queue
import threading
from typing import Any

import grpc

from conformance.cluster.kubelet.rpc import Call, Caller, RpcFailed

_NO_DEADLINE = 600.0
_END = object()


def pass_on(caller: Caller, call: Call, method: Any, context: Any) -> Any:
    """Make the call for a client; what comes of it, also a cancellation on either side, is the same for both."""
    done = threading.Event()
    thread = threading.get_ident()

    def ended() -> None:
        if not done.is_set():
            caller.cancel(thread)

    context.add_callback(ended)
    try:
        return caller.call(call.with_timeout(deadline(context)), method)
    except RpcFailed as error:
        done.set()
        context.abort(getattr(grpc.StatusCode, error.code), error.details)
    finally:
        done.set()


def stream_on(caller: Caller, call: Call, method: Any, context: Any) -> Any:
    """Pass a stream of answers on as they come; ends when either side ends it."""
    answers: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def read() -> None:
        try:
            caller.stream(call, method, answers.put)
            answers.put(_END)
        except RpcFailed as error:
            answers.put(error)

    reader = threading.Thread(target=read, name=f"tap {call.method}", daemon=True)
    reader.start()
    context.add_callback(lambda: caller.cancel(reader.ident or 0))
    while True:
        answer = answers.get()
        if answer is _END:
            return
        if isinstance(answer, RpcFailed):
            context.abort(getattr(grpc.StatusCode, answer.code), answer.details)
        yield answer


def deadline(context: Any) -> float:
    """Seconds that the client gives the call."""
    left: float | None = context.time_remaining()
    return _NO_DEADLINE if left is None else min(max(left, 0.001), _NO_DEADLINE)
