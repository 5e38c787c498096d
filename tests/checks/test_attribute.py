"""CEL selectors are made from what the driver publishes, and only where that tells a device apart."""

from conformance.checks.allocation.attribute import selector_for

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
