"""Which failures after a reboot are the driver's."""

from types import SimpleNamespace
from typing import Any

import pytest

from conformance.checks.restart.test_reboot import _require_noticed
from conformance.verdict import Inconclusive


def judge(*, changes: bool, reads: bool, good: bool) -> None:
    node: Any = SimpleNamespace(changes_boot_id=changes)
    driver: Any = SimpleNamespace(target=SimpleNamespace(reads_boot_id=reads))
    _require_noticed(node, driver, good, "nothing defines [gpu-0]")


def test_a_driver_that_was_shown_another_boot_id_is_judged() -> None:
    judge(changes=True, reads=True, good=False)


def test_a_good_answer_is_good_whatever_the_boot_id() -> None:
    judge(changes=False, reads=False, good=True)


def test_a_driver_that_was_not_shown_one_is_not_blamed() -> None:
    with pytest.raises(Inconclusive, match=r"could not notice the reboot: nothing defines \[gpu-0\]"):
        judge(changes=False, reads=True, good=False)
    with pytest.raises(Inconclusive, match=r"could not notice the reboot; hand it \{boot_id_file\} if it does: "):
        judge(changes=True, reads=False, good=False)
