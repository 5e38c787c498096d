"""Named waits: one way to wait for a condition, with a sentence that says what was waited for."""

from collections.abc import Callable
from typing import TypeVar

from tenacity import RetryError, Retrying, retry_if_result, stop_after_delay, wait_exponential

from conformance.verdict import WaitTimeout

T = TypeVar("T")


def wait_for(
    condition: Callable[[], T | None],
    what: str,
    *,
    timeout: float,
    otherwise: Callable[[], str] | None = None,
) -> T:
    """Ask until the condition gives something true, and return it.

    Raises WaitTimeout ("waited 20 s for …") after `timeout` seconds, with what `otherwise` says was seen instead.
    """
    retrying = Retrying(
        retry=retry_if_result(lambda result: not result),
        stop=stop_after_delay(timeout),
        wait=wait_exponential(multiplier=0.005, max=0.1),
    )
    try:
        result = retrying(condition)
    except RetryError:
        seen = f"; seen instead: {otherwise()}" if otherwise else ""
        raise WaitTimeout(f"waited {timeout:g} s for {what}{seen}") from None
    assert result is not None
    return result


def seen_within(condition: Callable[[], T], timeout: float) -> T:
    """Ask until the condition gives something true, at most `timeout` seconds; its last answer, true or not.

    For checks that judge the answer themselves, where `wait_for` would call it nobody's fault.
    """
    retrying = Retrying(
        retry=retry_if_result(lambda result: not result),
        stop=stop_after_delay(timeout),
        wait=wait_exponential(multiplier=0.005, max=0.1),
        retry_error_callback=lambda state: state.outcome.result() if state.outcome else None,
    )
    last: T = retrying(condition)
    return last
