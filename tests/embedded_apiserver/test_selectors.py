"""Label and field selectors mean what they mean to Kubernetes, and are refused where it refuses them."""

import pytest

from conformance.cluster.api import BadRequest
from conformance.cluster.embedded.apiserver.selectors import select

OBJECT = {"metadata": {"name": "a,b", "namespace": "default", "labels": {"tier": "one", "n": "5", "empty": ""}}}


def matches(labels: str = "", fields: str = "") -> bool:
    return select("", labels, fields, ("metadata.name", "spec.unschedulable")).matches(OBJECT)


@pytest.mark.parametrize(
    "labels",
    [
        *("tier=one", "tier == one", "tier!=two", "tier in (one, two)", "tier notin (two)", "tier", "!other"),
        *("n>4", "n<6", "empty=", "empty in (,)", "empty in ()", "other!=x", "tier=one,!other,n>4", "tier=one,n"),
    ],
)
def test_labels_that_match(labels: str) -> None:
    assert matches(labels)


@pytest.mark.parametrize("labels", ["tier=two", "!tier", "n>5", "other in (a)", "tier notin (one)", "other"])
def test_labels_that_do_not_match(labels: str) -> None:
    assert not matches(labels)


@pytest.mark.parametrize(
    "labels",
    [
        *(
            "tier===one",
            "tier in one",
            "tier in (one",
            "=x",
            ",tier",
            "tier,",
            "a b",
            "n>x",
            "n>\N{ARABIC-INDIC DIGIT ONE}",
            "!tier=one",
            "(tier)",
        ),
        *("a/b/c=x", "tier=-", f"tier={'v' * 64}", "tier<>1"),
    ],
)
def test_labels_that_are_refused(labels: str) -> None:
    with pytest.raises(BadRequest):
        matches(labels)


def test_fields() -> None:
    assert matches(fields=r"metadata.name=a\,b")
    assert matches(fields="metadata.name!=x,spec.unschedulable=false")
    assert not matches(fields="metadata.name==x")


@pytest.mark.parametrize(
    "fields", ["metadata.name", "metadata.uid=x", "metadata.name>a", r"metadata.name=\x", " metadata.name=a"]
)
def test_fields_that_are_refused(fields: str) -> None:
    with pytest.raises(BadRequest):
        matches(fields=fields)
