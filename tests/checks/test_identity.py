"""Which devices have other names than before, by what they publish."""

from typing import Any

from conformance.checks.publishing.identity import Key, renamed


def devices(**uuids: str) -> dict[Key, dict[str, Any]]:
    model = {"string": "big"}
    return {
        ("pool", name): {"attributes": {"uuid": {"string": uuid}, "model": model, "index": {"int": place}}}
        for place, (name, uuid) in enumerate(uuids.items())
    }


def test_a_device_that_another_name_stands_for_has_been_renamed() -> None:
    before = devices(a="1", b="2", c="3")
    assert renamed(before, devices(a="2", b="1", c="3")) == {"pool/a": "pool/b", "pool/b": "pool/a"}
    assert renamed(before, before) == {}


def test_devices_that_went_or_have_a_new_number_have_not() -> None:
    assert renamed(devices(a="1", b="2"), devices(b="2")) == {}
    assert renamed(devices(a="1", b="2"), devices(a="8", b="9")) == {}


def test_what_goes_with_the_name_can_change_places_unless_it_is_all_that_there_is() -> None:
    before, after = devices(a="1", b="2"), devices(a="1", b="2")
    for made, paths in ((before, ("x", "y")), (after, ("y", "x"))):
        for device, path in zip(made.values(), paths, strict=True):
            device["attributes"]["path"] = {"string": path}
    assert renamed(before, after) == {}


def test_devices_without_a_text_of_their_own_cannot_be_told_apart() -> None:
    bare = {("pool", name): {"attributes": {"model": {"string": "big"}}} for name in "ab"}
    assert renamed(bare, bare) == {}
    assert renamed({("pool", "a"): {}}, {}) == {}


def test_what_is_made_of_the_name_does_not_say_which_device_it_is() -> None:
    before, after = devices(a="1", b="2"), devices(a="2", b="1")
    for made in (before, after):
        for (pool, name), device in made.items():
            device["attributes"]["fabric"] = {"string": f"{pool}.{name.upper()}-0"}
    assert renamed(before, after) == {"pool/a": "pool/b", "pool/b": "pool/a"}
