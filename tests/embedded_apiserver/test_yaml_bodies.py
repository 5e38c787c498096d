"""Bodies in YAML are read as Kubernetes reads them."""

from typing import Any

import pytest

from conformance.cluster.api import BadRequest
from conformance.cluster.embedded.apiserver.yaml_bodies import read_yaml


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("x: &x {a: b, c: d}\nz: {<<: *x, e: f}", {"x": {"a": "b", "c": "d"}, "z": {"a": "b", "c": "d", "e": "f"}}),
        ("z: {<<: [{a: 1}, {a: 2, b: 3}]}", {"z": {"a": 1, "b": 3}}),
        ("a: !!binary aGVsbG8=", {"a": "hello"}),
        ("a: 2024-01-02", {"a": "2024-01-02"}),
        ("a: !own b", {"a": "b"}),
        ("a: yes\nb: n", {"a": True, "b": False}),
        ("true: a\n1: b", {"true": "a", "1": "b"}),
        ("a: b\n---\nc: [", {"a": "b"}),
        ("---\n---\na: b", None),
    ],
)
def test_what_yaml_says(text: str, read: Any) -> None:
    assert read_yaml(text.encode()) == read


@pytest.mark.parametrize("text", ["a: !!binary ***", "~: a", "[a]: b", "a: {<<: b}", "a: [", "a: \x01"])
def test_what_is_no_object_is_refused(text: str) -> None:
    with pytest.raises(BadRequest, match="error converting YAML to JSON"):
        read_yaml(text.encode())
