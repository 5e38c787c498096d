"""How the spec files of several folders make up the devices of a node."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from conformance.cluster.cdi import CdiError, CdiRegistry


def write(path: Path, *names: str, kind: str = "example.com/gpu", value: str = "1") -> Path:
    path.parent.mkdir(exist_ok=True)
    devices = [{"name": name, "containerEdits": {"env": [f"{name.upper()}={value}"]}} for name in names]
    path.write_text(json.dumps({"cdiVersion": "0.3.0", "kind": kind, "devices": devices}))
    return path


@pytest.fixture
def registry(tmp_path: Path) -> CdiRegistry:
    return CdiRegistry([tmp_path / "static", tmp_path / "dynamic"])


def test_missing_folders_are_empty(registry: CdiRegistry) -> None:
    assert registry.devices() == {}
    assert registry.errors() == {}
    assert registry.unresolved(["example.com/gpu=a"]) == ["example.com/gpu=a"]


def test_higher_priority_hides_lower(registry: CdiRegistry, tmp_path: Path) -> None:
    write(tmp_path / "static/x.json", "a", "b", value="low")
    write(tmp_path / "dynamic/y.json", "a", value="high")
    assert registry.edits(["example.com/gpu=a", "example.com/gpu=b"]).env == ["A=high", "B=low"]
    assert registry.errors() == {}


def test_equal_priority_drops_the_device_and_no_other(registry: CdiRegistry, tmp_path: Path) -> None:
    first = write(tmp_path / "dynamic/x.json", "a", "b")
    second = write(tmp_path / "dynamic/y.json", "a")
    assert list(registry.devices()) == ["example.com/gpu=b"]
    text = f'conflicting device "example.com/gpu=a" (specs "{second}", "{first}")'
    assert registry.errors() == {first: text, second: text}


def test_a_conflict_below_also_drops_the_device_above(registry: CdiRegistry, tmp_path: Path) -> None:
    write(tmp_path / "static/x.json", "a")
    write(tmp_path / "static/y.json", "a")
    write(tmp_path / "dynamic/z.json", "a")
    assert registry.devices() == {}


def test_one_bad_file_does_not_disturb_the_others(registry: CdiRegistry, tmp_path: Path) -> None:
    write(tmp_path / "dynamic/good.json", "a")
    bad = tmp_path / "dynamic/bad.json"
    bad.write_text("{}")
    assert list(registry.devices()) == ["example.com/gpu=a"]
    assert registry.errors() == {bad: 'failed to load CDI Spec invalid CDI Spec: invalid version ""'}


@pytest.mark.parametrize(
    "make",
    [
        os.mkfifo,
        lambda path: path.symlink_to("/dev/zero"),
        lambda path: path.symlink_to(path.name),
        lambda path: path.symlink_to("."),
        lambda path: path.write_text("[" * 100_000),
        lambda path: path.write_bytes(b"\xff\0"),
        lambda path: subprocess.run(["truncate", "--size=1T", path], check=True),
    ],
    ids=["pipe", "device", "loop", "folder", "deep", "binary", "huge"],
)
def test_nothing_that_a_driver_leaves_there_stops_the_rest(
    registry: CdiRegistry, tmp_path: Path, make: Callable[[Path], object]
) -> None:
    write(tmp_path / "dynamic/good.json", "a")
    bad = tmp_path / "dynamic/bad.json"
    make(bad)
    assert list(registry.devices()) == ["example.com/gpu=a"]
    assert list(registry.errors()) == [bad]
    assert tmp_path / "dynamic/good.json" in registry.snapshot()


def test_only_json_and_yaml_directly_in_the_folder_count(registry: CdiRegistry, tmp_path: Path) -> None:
    write(tmp_path / "dynamic/.x.json.tmp", "a")
    write(tmp_path / "dynamic/x.yml", "b")
    write(tmp_path / "dynamic/below/x.json", "c")
    write(tmp_path / "dynamic/below.json/x.json", "d")
    assert registry.devices() == {}
    assert registry.errors() == {}


def test_changes_are_seen_at_once(registry: CdiRegistry, tmp_path: Path) -> None:
    path = write(tmp_path / "dynamic/x.json", "a", value="1")
    assert registry.edits(["example.com/gpu=a"]).env == ["A=1"]
    write(tmp_path / "dynamic/new", "a", value="2")
    os.replace(tmp_path / "dynamic/new", path)
    assert registry.edits(["example.com/gpu=a"]).env == ["A=2"]
    path.unlink()
    with pytest.raises(CdiError, match=r"^unresolvable CDI devices example.com/gpu=a$"):
        registry.edits(["example.com/gpu=a"])


def test_missing_devices_are_named_in_order(registry: CdiRegistry, tmp_path: Path) -> None:
    write(tmp_path / "dynamic/x.json", "a")
    with pytest.raises(CdiError, match=r"^unresolvable CDI devices x, example.com/gpu=c$"):
        registry.edits(["x", "example.com/gpu=a", "example.com/gpu=c"])


def test_what_mentions_a_claim(registry: CdiRegistry, tmp_path: Path) -> None:
    spec = write(tmp_path / "dynamic/x.json", "gpu-1234")
    scratch = write(tmp_path / "dynamic/1234.tmp", "b")
    assert registry.devices_for("1234") == [str(scratch), str(spec), "example.com/gpu=gpu-1234"]
    assert registry.devices_for("5678") == []
    assert set(registry.snapshot()) == {spec, scratch}
