"""Runs of many drivers: what was not begun when one fails, or on Ctrl-C, is not begun any more."""

import threading

import pytest

from tests.at_once import results


def test_everything_is_worked_on() -> None:
    with results(lambda number: number * number, range(5), workers=2) as found:
        assert sorted(found) == [(0, 0), (1, 1), (2, 4), (3, 9), (4, 16)]


@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt])
def test_what_has_not_begun_when_the_block_ends_early_is_left(error: type[BaseException]) -> None:
    begun: list[int] = []

    def take_long(number: int) -> None:
        begun.append(number)
        threading.Event().wait(0.01)

    with pytest.raises(error), results(take_long, range(1000), workers=1) as found:
        next(found)
        raise error
    assert len(begun) < 1000
