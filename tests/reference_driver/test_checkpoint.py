"""Records on disk: what later and earlier versions of the plugin make of them."""

import json
import zlib
from pathlib import Path
from typing import Any

import pytest

from reference_driver.plugin import Checkpoint, ClaimRecord, ClaimRef, PreparedDevice
from reference_driver.plugin.checkpoint import PREPARED

DEVICE = PreparedDevice("n", "gpu-0", ("gpus",), ("v/c=x",), "share", True)
RECORD = ClaimRecord(ClaimRef("ns", "c", "uid-1"), PREPARED, "boot", (DEVICE,), {"kind": "v/c"}, {"mine": [1]})


def reread(folder: Path) -> Checkpoint:
    checkpoint = Checkpoint(folder)
    checkpoint.reload()
    return checkpoint


def rewrite(path: Path, change: dict[str, Any]) -> None:
    record = json.loads(path.read_text())["record"] | change
    body = json.dumps(record, sort_keys=True, separators=(",", ":"))
    path.write_text(json.dumps({"record": record, "checksum": zlib.crc32(body.encode()), "later": 1}))


def test_a_record_comes_back_as_it_was(tmp_path: Path) -> None:
    Checkpoint(tmp_path).save(RECORD)
    checkpoint = reread(tmp_path)
    assert checkpoint.get("uid-1") == RECORD
    assert list(checkpoint.holders(("n", "gpu-0"))) == [RECORD]
    checkpoint.delete("uid-1")
    assert list(checkpoint.holders(("n", "gpu-0"))) == []
    assert reread(tmp_path).records() == []


def test_fields_of_a_later_version_are_left_out(tmp_path: Path) -> None:
    Checkpoint(tmp_path).save(RECORD)
    rewrite(tmp_path / "uid-1.json", {"version": 2, "colour": "red"})
    assert reread(tmp_path).records() == [RECORD]


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"checksum":1,"record":{}}', b"\xff\xfe", b"null"])
def test_a_corrupt_file_is_set_aside_and_costs_the_others_nothing(tmp_path: Path, content: bytes) -> None:
    Checkpoint(tmp_path).save(RECORD)
    (tmp_path / "bad.json").write_bytes(content)
    assert reread(tmp_path).records() == [RECORD]
    assert (tmp_path / "bad.corrupt").read_bytes() == content
    assert reread(tmp_path).records() == [RECORD]


def test_a_changed_byte_is_noticed(tmp_path: Path) -> None:
    Checkpoint(tmp_path).save(RECORD)
    path = tmp_path / "uid-1.json"
    path.write_text(path.read_text().replace("gpu-0", "gpu-1"))
    assert reread(tmp_path).records() == []


def test_after_a_failed_save_the_folder_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checkpoint = Checkpoint(tmp_path)

    def fail(*_: object) -> None:
        raise OSError("disk full")

    with monkeypatch.context() as patch:
        patch.setattr("os.rename", fail)
        with pytest.raises(OSError, match="disk full"):
            checkpoint.save(RECORD)
    assert checkpoint.records() == reread(tmp_path).records() == []
    assert list(tmp_path.iterdir()) == []
