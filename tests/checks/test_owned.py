"""Whose CDI specs a driver answers for."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from conformance.checks.injection.owned import faults
from conformance.cluster.answer import Answer, ClaimRef, Entry, PreparedDevice
from conformance.cluster.cdi import CdiRegistry

OURS: Any = SimpleNamespace(backend=None, target=SimpleNamespace(driver_name="gpu.example.com"))
THEIRS: Any = SimpleNamespace(backend=SimpleNamespace(own_name=str, elsewhere=set, claims_free=int), target=OURS.target)
CLAIM = ClaimRef("ns", "claim", "0b1c")
DEVICE = PreparedDevice("pool", "gpu-0", ("gpu",), ("vendor.example.com/gpu=0b1c-gpu-0",))
ANSWER = Answer("NodePrepareResources", (CLAIM,), "OK", "", {CLAIM.uid: Entry("", (DEVICE,))}, 0.1)


@pytest.fixture
def node(tmp_path: Path) -> Any:
    (tmp_path / "others.json").write_text('{"kind": "other.com/nic", "devices": "broken"}')
    return SimpleNamespace(cdi=CdiRegistry([tmp_path]), folder=tmp_path)


def test_specs_of_others_are_their_own_affair_where_there_are_others(node: Any) -> None:
    assert faults(THEIRS, node, ANSWER) == {}
    assert list(faults(OURS, node, ANSWER)) == ["others.json"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("gpu.example.com-claim.json", "{"),
        ("anonymous.json", '{"kind": "vendor.example.com/gpu", "devices": 1}'),
        ("anonymous.json", '{"devices": [{"name": "0b1c"}]}'),
    ],
)
def test_a_spec_that_tells_whose_it_is_is_looked_at_everywhere(node: Any, name: str, text: str) -> None:
    (node.folder / name).write_text(text)
    assert list(faults(THEIRS, node, ANSWER)) == [name]
