"""CEL selectors are made from what the driver publishes, and read only what all of its devices have."""

from typing import Any

import pytest

from conformance.checks.allocation.attribute import largest, selector_for
from conformance.checks.allocation.selection import selects

DRIVER = "d.example.com"


def test_an_integer_that_no_other_device_has() -> None:
    devices = [{"attributes": {"index": {"int": n}}} for n in range(3)]
    assert selector_for(DRIVER, devices[2], devices[:2]) == 'device.attributes["d.example.com"].index == 2'


def test_a_string_of_another_domain() -> None:
    devices = [{"attributes": {"vendor.example/uuid": {"string": text}}} for text in ("a", "b")]
    assert selector_for(DRIVER, devices[1], devices[:1]) == 'device.attributes["vendor.example"].uuid == "b"'


def test_devices_that_are_all_alike_cannot_be_told_apart() -> None:
    devices = [{"attributes": {"model": {"string": "x"}}} for _ in range(2)]
    assert selector_for(DRIVER, devices[1], devices[:1]) == ""


def test_devices_without_attributes_cannot_be_told_apart() -> None:
    assert selector_for(DRIVER, {"name": "a"}, [{"name": "b"}]) == ""


def test_an_attribute_that_a_device_lacks_is_not_read() -> None:
    assert selector_for(DRIVER, {"attributes": {"part": {"int": 1}}}, [{"attributes": {}}]) == ""


def test_quotes_in_a_value_are_kept() -> None:
    devices = [{"attributes": {"name": {"string": text}}} for text in ('a "b"', "c")]
    assert selector_for(DRIVER, devices[0], devices[1:]) == r'device.attributes["d.example.com"].name == "a \"b\""'


def memory(*values: str) -> list[dict[str, Any]]:
    return [{"capacity": {"memory": {"value": value}}} for value in values]


def test_the_most_of_a_capacity_is_found_by_its_value() -> None:
    assert largest(DRIVER, memory("900Mi", "2Gi", "1G")) == (
        'device.capacity["d.example.com"].memory.compareTo(quantity("2Gi")) >= 0'
    )


@pytest.mark.parametrize("devices", [[], [{"name": "a"}], [*memory("1Gi"), {"name": "b"}]])
def test_a_capacity_that_a_device_lacks_is_not_read(devices: list[dict[str, Any]]) -> None:
    assert largest(DRIVER, devices) == ""


def test_a_selector_on_a_capacity_selects_the_device_with_the_most() -> None:
    devices = memory("1Gi", "2Gi")
    selector = [{"cel": {"expression": largest(DRIVER, devices)}}]
    assert [selects(selector, DRIVER, device) for device in devices] == [False, True]
