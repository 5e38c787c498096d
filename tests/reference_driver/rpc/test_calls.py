"""Calls by grpc's own client: whatever it may ask is answered as grpc's own server would."""

import threading
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest

from .conftest import Serving


@pytest.mark.parametrize("size", [0, 1, 16379, 16380, 65535, 100_000, 4 * 2**20])
def test_messages_of_any_size_go_both_ways(channel: grpc.Channel, size: int) -> None:
    message = bytes(range(256)) * (size // 256) + b"x" * (size % 256)
    assert channel.unary_unary("/t.T/Echo")(message, timeout=30) == message


def test_calls_at_once_each_get_their_own_answer(channel: grpc.Channel) -> None:
    echo = channel.unary_unary("/t.T/Echo")
    messages = [b"%d" % n * 50_000 for n in range(60)]
    with ThreadPoolExecutor(20) as pool:
        assert list(pool.map(lambda message: echo(message, timeout=30), messages)) == messages


def test_a_stream_has_all_its_messages_in_order(channel: grpc.Channel) -> None:
    assert list(channel.unary_stream("/t.T/Count")(b"5000", timeout=30)) == [b"%d" % n for n in range(5000)]
    assert list(channel.unary_stream("/t.T/Count")(b"0", timeout=30)) == []


def test_who_gives_up_is_noticed(channel: grpc.Channel, serving: Serving) -> None:
    stream = channel.unary_stream("/t.T/Watch")(b"")
    assert next(stream) == b"first"
    stream.cancel()
    assert serving.given_up.wait(30)


def test_a_caller_whose_time_is_over_is_noticed_while_the_call_is_at_work(
    channel: grpc.Channel, serving: Serving
) -> None:
    with pytest.raises(grpc.RpcError, match="DEADLINE_EXCEEDED"):
        channel.unary_unary("/t.T/Wait")(b"", timeout=1)
    assert serving.given_up.wait(30)
    serving.go_on.set()
    assert channel.unary_unary("/t.T/Echo")(b"still there", timeout=30) == b"still there"


def test_a_caller_that_dies_is_noticed(serving: Serving) -> None:
    with grpc.insecure_channel(f"unix:{serving.path}", options=[("grpc.use_local_subchannel_pool", 1)]) as channel:
        call = channel.unary_unary("/t.T/Wait").future(b"")  # kept: one that nobody has is cancelled
        assert serving.waiting.wait(30)
    assert call.done()
    assert serving.given_up.wait(30)


def test_the_time_that_is_left_is_known(channel: grpc.Channel) -> None:
    left = channel.unary_unary("/t.T/Left")
    assert 20 < float(left(b"", timeout=30)) <= 30
    assert left(b"") == b"None"


@pytest.mark.parametrize("text", ["plain", "100 % of it", "Gerät\nzwei", "😀" * 2000, ""])
def test_an_error_has_its_code_and_text(channel: grpc.Channel, text: str) -> None:
    with pytest.raises(grpc.RpcError) as raised:
        channel.unary_unary("/t.T/Refuse")(text.encode(), timeout=30)
    assert raised.value.code() is grpc.StatusCode.FAILED_PRECONDITION
    assert raised.value.details() == text[:500]


def test_a_handler_that_breaks_is_an_error_of_the_call_and_says_nothing_of_values(channel: grpc.Channel) -> None:
    with pytest.raises(grpc.RpcError, match="ZeroDivisionError") as raised:
        channel.unary_unary("/t.T/Break")(b"", timeout=30)
    assert raised.value.code() is grpc.StatusCode.UNKNOWN


def test_a_method_that_is_not_there_is_told_even_while_all_threads_are_busy(
    channel: grpc.Channel, serving: Serving
) -> None:
    calls = [channel.unary_unary("/t.T/Wait").future(b"") for _ in range(4)]
    assert serving.waiting.wait(30)
    with pytest.raises(grpc.RpcError, match=r"there is no method /t\.T/Nothing") as raised:
        channel.unary_unary("/t.T/Nothing")(b"", timeout=30)
    assert raised.value.code() is grpc.StatusCode.UNIMPLEMENTED
    serving.go_on.set()
    assert [call.result(30) for call in calls] == [b""] * 4


def test_a_request_that_is_too_long_or_compressed_is_refused(channel: grpc.Channel) -> None:
    echo = channel.unary_unary("/t.T/Echo")
    with pytest.raises(grpc.RpcError, match="more than 4194304 bytes") as raised:
        echo(b"x" * (4 * 2**20 + 1), timeout=30)
    assert raised.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    with pytest.raises(grpc.RpcError, match="compressed") as raised:
        echo(b"x" * 1000, timeout=30, compression=grpc.Compression.Gzip)
    assert raised.value.code() is grpc.StatusCode.UNIMPLEMENTED


def test_calls_at_work_end_in_the_grace_and_no_other_is_taken(channel: grpc.Channel, serving: Serving) -> None:
    call = channel.unary_unary("/t.T/Wait").future(b"done")
    assert serving.waiting.wait(30)
    stopped = serving.server.stop(10)
    threading.Timer(0.1, serving.go_on.set).start()
    assert call.result(30) == b"done"
    assert stopped.wait(30)
    with pytest.raises(grpc.RpcError):
        channel.unary_unary("/t.T/Echo")(b"", timeout=1)


def test_without_grace_calls_at_work_are_ended(channel: grpc.Channel, serving: Serving) -> None:
    call = channel.unary_unary("/t.T/Wait").future(b"")
    assert serving.waiting.wait(30)
    assert serving.server.stop(None).wait(30)
    with pytest.raises(grpc.RpcError) as raised:
        call.result(30)
    assert raised.value.code() is grpc.StatusCode.UNAVAILABLE
