"""Which spec files are valid, and what is wrong with the others, in the words of the CDI library."""

import json
from pathlib import Path
from typing import Any

import pytest

from conformance.cluster.cdi import CdiRegistry, minimum_version, split_device
from conformance.cluster.cdi.errors import CdiError

ENV = {"env": ["A=1"]}


def spec(**fields: Any) -> dict[str, Any]:
    """A valid spec with one device, after changes."""
    plain = {"cdiVersion": "0.3.0", "kind": "example.com/gpu", "devices": [{"name": "a", "containerEdits": ENV}]}
    return {**plain, **fields}


def device(name: str = "a", **edits: Any) -> dict[str, Any]:
    return {"name": name, "containerEdits": edits or ENV}


VALID = [
    spec(),
    spec(cdiVersion="v0.3.0"),
    spec(cdiVersion="1.1.0", annotations={"any thing": "goes"}),
    spec(cdiVersion="0.4.0", devices=[device(mounts=[{"hostPath": "/a", "containerPath": "/b", "type": "bind"}])]),
    spec(cdiVersion="0.5.0", devices=[device("0")]),
    spec(cdiVersion="0.5.0", devices=[device(deviceNodes=[{"path": "/dev/x", "hostPath": "/dev/y", "type": "c"}])]),
    spec(cdiVersion="0.6.0", kind="example.com/gpu.large"),
    spec(cdiVersion="0.7.0", devices=[device(additionalGids=[5])]),
    spec(cdiVersion="1.1.0", devices=[device(netDevices=[{"hostInterfaceName": "eth7", "name": "net0"}])]),
    spec(devices=[device("a:b_c.d-e"), device("z")]),
    spec(devices=[device(deviceNodes=[{"path": "/dev/x", "permissions": "none"}])]),
    spec(devices=[device(hooks=[{"hookName": "createContainer", "path": "/bin/true", "timeout": 3}])]),
    spec(containerEdits={}, devices=[device(env=[1234, "A=1"][1:])]),
]

INVALID = {
    "yaml: unmarshal errors": spec(surplus=1),
    "field hostpath not found in type specs.DeviceNode": spec(
        devices=[device(deviceNodes=[{"path": "/dev/x", "hostpath": "/dev/y"}])]
    ),
    "cannot unmarshal !!str `first` into int64": spec(devices=[device(deviceNodes=[{"path": "/x", "major": "first"}])]),
    "cannot unmarshal !!int `7` into []string": spec(devices=[device(env=7)]),
    'invalid version "2.0.0"': spec(cdiVersion="2.0.0"),
    'invalid version ""': spec(cdiVersion=None),
    "the spec version must be at least v0.3.0": spec(cdiVersion="0.1.0"),
    "the spec version must be at least v0.4.0": spec(
        devices=[device(mounts=[{"hostPath": "/a", "containerPath": "/b", "type": "bind"}])]
    ),
    "the spec version must be at least v0.5.0": spec(devices=[device("0")]),
    "the spec version must be at least v0.6.0": spec(annotations={"a": "b"}),
    "the spec version must be at least v0.7.0": spec(cdiVersion="0.6.0", containerEdits={"additionalGids": [5]}),
    "the spec version must be at least v1.1.0": spec(
        cdiVersion="1.0.0", containerEdits={"intelRdt": {"enableMonitoring": True}}
    ),
    "invalid vendor. empty name": spec(kind="gpu"),
    'invalid vendor. "1example.com", should start with letter': spec(kind="1example.com/gpu"),
    'invalid class. "gpu-", should end with a letter or digit': spec(kind="example.com/gpu-"),
    "invalid character '/' in name": spec(kind="example.com/a/b"),
    "invalid (empty) device name": spec(devices=[device("")]),
    "invalid character '=' in device name": spec(devices=[device("a=b")]),
    'invalid name "a-", should end with a letter or digit': spec(devices=[device("a-")]),
    'invalid class "-a", should start with a letter or digit': spec(devices=[device("-a")]),
    "invalid spec, no devices": spec(devices=[]),
    'invalid spec, multiple device "a"': spec(devices=[device("a"), device("a")]),
    'failed add device "a": invalid device, empty device edits': spec(devices=[{"name": "a", "containerEdits": {}}]),
    'invalid container edits: invalid environment variable "=1"': spec(containerEdits={"env": ["=1"]}),
    'invalid device "a": invalid container edits: invalid environment variable "A"': spec(devices=[device(env=["A"])]),
    "invalid (empty) device path": spec(devices=[device(deviceNodes=[{"type": "c"}])]),
    'device "/dev/x": invalid type "s"': spec(devices=[device(deviceNodes=[{"path": "/dev/x", "type": "s"}])]),
    'device "/dev/x": invalid permissions "rx"': spec(
        devices=[device(deviceNodes=[{"path": "/dev/x", "permissions": "rx"}])]
    ),
    "invalid mount, empty host path": spec(devices=[device(mounts=[{"containerPath": "/b"}])]),
    "invalid mount, empty container path": spec(devices=[device(mounts=[{"hostPath": "/b"}])]),
    'invalid hook name "start"': spec(devices=[device(hooks=[{"hookName": "start", "path": "/x"}])]),
    'invalid hook "poststop" with empty path': spec(devices=[device(hooks=[{"hookName": "poststop"}])]),
    "invalid ClosID": spec(cdiVersion="0.7.0", devices=[device(intelRdt={"closID": "a/b"})]),
    "invalid linux net device, empty Name": spec(
        cdiVersion="1.1.0", devices=[device(netDevices=[{"hostInterfaceName": "eth7"}])]
    ),
    'invalid linux net device, duplicate Name "n" with HostInterfaceName "e2" and "e1"': spec(
        cdiVersion="1.1.0",
        devices=[device(netDevices=[{"hostInterfaceName": h, "name": "n"} for h in ("e1", "e2")])],
    ),
}


@pytest.mark.parametrize("raw", VALID)
def test_valid_spec(tmp_path: Path, raw: dict[str, Any]) -> None:
    (tmp_path / "x.json").write_text(json.dumps(raw, indent="\t"))
    registry = CdiRegistry([tmp_path])
    assert registry.errors() == {}
    assert list(registry.devices()) == [f"{raw['kind']}={d['name']}" for d in raw["devices"]]


@pytest.mark.parametrize(("text", "raw"), INVALID.items())
def test_invalid_spec(tmp_path: Path, text: str, raw: dict[str, Any]) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps(raw))
    registry = CdiRegistry([tmp_path])
    assert text in registry.errors()[path]
    assert registry.devices() == {}


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ("", "failed to unmarshal CDI Spec: EOF"),
        ("null", ", no Spec data"),
        ("{", "failed to unmarshal CDI Spec: yaml: "),
        ("kind: a/b\nkind: a/c\n", 'line 2: mapping key "kind" already defined at line 1'),
        ("[]", "cannot unmarshal !!seq into specs.Spec"),
    ],
)
def test_unreadable_spec(tmp_path: Path, content: str, error: str) -> None:
    (tmp_path / "x.yaml").write_text(content)
    assert error in CdiRegistry([tmp_path]).errors()[tmp_path / "x.yaml"]


@pytest.mark.parametrize(
    ("value", "number"), [("1.5", 1), ("1_0", 10), ("0o17", 15), ("0b11", 3), ("089", 89), ("2e3", 2000)]
)
def test_numbers_as_the_decoder_of_go_reads_them(tmp_path: Path, value: str, number: int) -> None:
    node = f"{{path: /dev/c, type: c, major: {value}}}"
    text = f"cdiVersion: 0.3.0\nkind: a.io/b\ndevices:\n- {{name: c, containerEdits: {{deviceNodes: [{node}]}}}}\n"
    (tmp_path / "x.yaml").write_text(text)
    assert CdiRegistry([tmp_path]).edits(["a.io/b=c"]).device_nodes[0]["major"] == number


def test_anchors_and_merges(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text(
        "cdiVersion: 0.3.0\nkind: a.io/b\ndevices:\n"
        "- &one {name: a, containerEdits: {env: [A=1]}}\n- {<<: *one, name: b}\n"
    )
    assert CdiRegistry([tmp_path]).edits(["a.io/b=b"]).env == ["A=1"]


def test_yaml_with_octal_mode_and_unquoted_values(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text(
        "---\ncdiVersion: 0.3.0\nkind: a.io/b\ndevices:\n- name: c\n  containerEdits:\n"
        "    deviceNodes: [{path: /dev/c, fileMode: 0660, major: 0x10}]\n---\nanother: document\n"
    )
    registry = CdiRegistry([tmp_path])
    assert registry.edits(["a.io/b=c"]).device_nodes == [{"path": "/dev/c", "fileMode": 0o660, "major": 16}]


@pytest.mark.parametrize("name", ["gpu", "/dev/gpu", "example.com=a", "example.com/gpu=", "a/b=c/d", "1a/b=c"])
def test_name_is_not_qualified(name: str) -> None:
    with pytest.raises(CdiError):
        split_device(name)


def test_qualified_name() -> None:
    assert split_device("example.com/gpu=a") == ("example.com", "gpu", "a")


def test_what_only_an_earlier_device_uses_needs_no_later_version() -> None:
    """For what came with 0.4.0 and 0.5.0 the library looks at the last device alone."""
    mounted = device("a", mounts=[{"hostPath": "/a", "containerPath": "/b", "type": "bind"}])
    assert minimum_version(spec(devices=[mounted, device("z")])) == "0.3.0"
    assert minimum_version(spec(devices=[device("z"), mounted])) == "0.4.0"
    assert minimum_version(spec(devices=[device("a", additionalGids=[1]), device("z")])) == "0.7.0"


def test_minimum_version_is_that_of_the_newest_feature() -> None:
    assert minimum_version(spec(annotations={"a": "b"}, devices=[device("0", additionalGids=[1])])) == "0.7.0"
    assert minimum_version(spec()) == "0.3.0"
