"""Device nodes of hardware that is made up are taken to be there."""

import json
from pathlib import Path

import pytest

from conformance.cluster.cdi import CdiError, CdiRegistry, inject

SPEC = {
    "cdiVersion": "0.5.0",
    "kind": "a.io/b",
    "devices": [{"name": "x", "containerEdits": {"deviceNodes": [{"path": "/dev/x", "hostPath": "/dev/accel0"}]}}],
}


@pytest.fixture
def registry(tmp_path: Path) -> CdiRegistry:
    (tmp_path / "x.json").write_text(json.dumps(SPEC), encoding="utf-8")
    return CdiRegistry([tmp_path])


def test_one_that_is_named_has_what_a_node_has(registry: CdiRegistry, tmp_path: Path) -> None:
    (device,) = inject(registry, ["a.io/b=x"], tmp_path, made_up=["/dev/accel0"]).devices
    assert (device["path"], device["type"], device["major"], device["fileMode"]) == ("/dev/x", "c", 1, 0o666)


def test_another_is_looked_for(registry: CdiRegistry, tmp_path: Path) -> None:
    with pytest.raises(CdiError, match='failed to stat CDI host device "/dev/accel0": no such file or directory'):
        inject(registry, ["a.io/b=x"], tmp_path, made_up=["/dev/accel1"])
