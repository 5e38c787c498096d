"""What a container looks like after injection."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from conformance.cluster.cdi import CdiError, CdiRegistry, inject


class Node:
    """A folder with one spec, and a root for host device nodes."""

    def __init__(self, folder: Path) -> None:
        self.specs = folder / "cdi"
        self.root = folder / "root"
        self.specs.mkdir()
        (self.root / "dev").mkdir(parents=True)
        self.registry = CdiRegistry([self.specs])

    def spec(self, common: dict[str, Any], **devices: dict[str, Any]) -> None:
        rows = [{"name": name, "containerEdits": edits} for name, edits in devices.items()]
        raw = {"cdiVersion": "1.1.0", "kind": "a.io/b", "containerEdits": common, "devices": rows}
        (self.specs / "x.json").write_text(json.dumps(raw))

    def inject(self, *names: str, **more: Any) -> Any:
        return inject(self.registry, [f"a.io/b={name}" for name in names], self.root, **more)


@pytest.fixture
def node(tmp_path: Path) -> Node:
    return Node(tmp_path)


def test_spec_edits_come_once_and_first(node: Node) -> None:
    node.spec({"env": ["X=spec"], "additionalGids": [7, 0]}, a={"env": ["X=a", "A=1=2"]}, b={"additionalGids": [7, 8]})
    made = node.inject("b", "a", "b", env={"PATH": "/bin", "A": "old"})
    assert made.env == {"PATH": "/bin", "A": "1=2", "X": "a"}
    assert made.additional_gids == [7, 8]
    assert made.cdi_ids == ("a.io/b=b", "a.io/b=a")


def test_a_later_mount_or_node_at_a_place_replaces_an_earlier_one(node: Node) -> None:
    fifo = {"path": "/dev/f", "type": "p"}
    node.spec(
        {"mounts": [{"hostPath": "/deep", "containerPath": "/x/y/z"}, {"hostPath": "/old", "containerPath": "/x"}]},
        a={"mounts": [{"hostPath": "/new", "containerPath": "/x", "options": ["ro"]}], "deviceNodes": [fifo]},
        b={"deviceNodes": [{**fifo, "permissions": "r"}]},
    )
    made = node.inject("a", "b")
    assert [(m["hostPath"], m["containerPath"], m["options"]) for m in made.mounts] == [
        ("/new", "/x", ["ro"]),
        ("/deep", "/x/y/z", []),
    ]
    assert [(d["path"], d["permissions"]) for d in made.devices] == [("/dev/f", "r")]


def test_numbers_and_mode_come_from_the_host(node: Node) -> None:
    os.mkfifo(node.root / "dev/real", 0o640)
    os.chmod(node.root / "dev/real", 0o640)
    node.spec({}, a={"deviceNodes": [{"path": "/dev/inside", "hostPath": "/dev/real", "permissions": "none"}]})
    [device] = node.inject("a", user=(1000, 0)).devices
    assert (device["path"], device["type"], device["fileMode"], device["permissions"]) == (
        "/dev/inside",
        "p",
        0o640,
        "",
    )
    assert (device["uid"], device.get("gid")) == (1000, None)


def test_a_character_device_of_the_host(node: Node) -> None:
    node.spec({}, a={"deviceNodes": [{"path": "/dev/null"}]})
    [device] = inject(node.registry, ["a.io/b=a"]).devices
    assert (device["type"], device["major"], device["minor"], device["permissions"]) == ("c", 1, 3, "rwm")


def test_a_complete_node_needs_no_host(node: Node) -> None:
    node.spec({}, a={"deviceNodes": [{"path": "/dev/gpu0", "type": "c", "major": 195, "minor": 4}]})
    [device] = node.inject("a").devices
    assert (device["type"], device["major"], device["minor"]) == ("c", 195, 4)


@pytest.mark.parametrize(
    ("edits", "error"),
    [
        ({"path": "/dev/gone"}, 'failed to stat CDI host device "/dev/gone": no such file or directory'),
        ({"path": "/dev"}, 'failed to stat CDI host device "/dev": not a device node'),
        ({"path": "/dev/f", "type": "c"}, 'CDI device ("/dev/f", "/dev/f"), host type mismatch (c, p)'),
    ],
)
def test_node_that_cannot_be_injected(node: Node, edits: dict[str, Any], error: str) -> None:
    os.mkfifo(node.root / "dev/f")
    node.spec({}, a={"deviceNodes": [edits]})
    with pytest.raises(CdiError) as raised:
        node.inject("a")
    assert str(raised.value) == f"CDI device injection failed: failed to inject devices: {error}"


def test_missing_devices(node: Node) -> None:
    node.spec({}, a={"env": ["A=1"]})
    with pytest.raises(CdiError) as raised:
        node.inject("x", "a", "y")
    assert str(raised.value) == "CDI device injection failed: unresolvable CDI devices a.io/b=x, a.io/b=y"


def test_hooks_and_network_devices(node: Node) -> None:
    hook = {"hookName": "createContainer", "path": "/bin/hook", "args": ["hook"]}
    node.spec({"hooks": [hook]}, a={"netDevices": [{"hostInterfaceName": "eth7", "name": "net0"}]})
    made = node.inject("a")
    assert made.hooks == [hook]
    assert made.net_devices == {"eth7": "net0"}
