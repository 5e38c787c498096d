"""Which finding a waiver means, also in the next run, in which names, times and ports are others."""

from typing import Any

import pytest

from conformance.waivers.matching import about, general, means, seen
from conformance.waivers.model import Waiver
from tests.report.samples import finding
from tests.waivers.files import REPEAT


def waiver(**changes: Any) -> Waiver:
    return Waiver.model_validate({**REPEAT, **changes})


BUSY = finding("PREP-05", "a repeated Prepare succeeds", holds=False, got="busy", want="")


@pytest.mark.parametrize(
    ("changes", "meant"),
    [
        ({}, True),
        ({"expected": "that a repeated Prepare succeeds"}, True),
        ({"expected": "a repeated * succeeds"}, True),
        ({"expected": "*"}, True),
        ({"expected": "a repeated Prepare"}, False),
        ({"expected": "*Prepare succeeds*again"}, False),
        ({"expected": "a * a * succeeds"}, False),
        ({"check": "preparation.other"}, False),
        ({"requirement": "PREP-01"}, False),
        ({"observed": ["busy"]}, True),
        ({"observed": ["*in use", "b*y"]}, True),
        ({"observed": ["*in use"]}, False),
    ],
)
def test_a_waiver_means_a_finding(changes: dict[str, Any], meant: bool) -> None:
    assert means(waiver(**changes), "preparation.repeat", BUSY) is meant


def test_every_entry_of_what_was_observed_must_be_known() -> None:
    both = finding("PREP-05", "a repeated Prepare succeeds", holds=False, got=["gpu-0 is busy", {"a": 1}], want=[])
    assert seen(both) == ["gpu-0 is busy", '{"a": 1}']
    assert means(waiver(observed=["gpu-* is busy", '{"a": *}']), "preparation.repeat", both)
    assert not means(waiver(observed=["gpu-* is busy"]), "preparation.repeat", both), "the other one is new"
    assert about(waiver(observed=["gpu-* is busy"]), "preparation.repeat", both)


@pytest.mark.parametrize(
    ("sentence", "other"),
    [
        (
            "when killed 12.3 ms into Prepare (round 2 of 5, --conformance-seed=144507), it prepares the claim",
            "when killed 340 ms into Prepare (round 4 of 5, --conformance-seed=9), it prepares the claim",
        ),
        ("claim user-1-devices-bzs49 has kept devices", "claim user-3-devices-7xq2d has kept devices"),
        (
            "the share id of {('node-a', 'gpu-6'): '7171137c-74ea-4893-b0e4-72d6f86435e9'}",
            "the share id of {('node-a', 'gpu-6'): '9da958ae-45b7-439e-a4b0-ecb948749d2f'}",
        ),
        (
            "pool dra-conformance-dc0676-worker has the slices",
            "pool dra-conformance-dc92b3-worker has the slices",
        ),
        ("/tmp/dcbabd/a/cdi/x.json is gone", "/var/tmp/dc1234/a/cdi/x.json is gone"),
        ("127.0.0.1:34567 answers within 45 s", "127.0.0.1:40001 answers within 30 s"),
    ],
)
def test_what_differs_between_runs_does_not_matter(sentence: str, other: str) -> None:
    assert general(sentence) == general(other) != sentence
    found = finding("PREP-05", other, holds=False)
    assert means(waiver(expected=general(sentence)), "preparation.repeat", found)


@pytest.mark.parametrize(
    ("sentence", "other"),
    [
        (
            "the claim is prepared once the API server answers 500 no more",
            "the claim is prepared once it is slow no more",
        ),
        ("v1.DRAPlugin is served", "v1beta1.DRAPlugin is served"),
        ("what is published as gpu-0 can be prepared", "what is published as gpu-5 can be prepared"),
        ("with state files that are empty, it ends", "with state files that are cut off, it ends"),
    ],
)
def test_what_is_another_finding_stays_one(sentence: str, other: str) -> None:
    assert general(sentence) == sentence
    assert not means(waiver(expected=sentence), "preparation.repeat", finding("PREP-05", other, holds=False))
