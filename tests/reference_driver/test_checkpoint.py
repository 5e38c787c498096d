"""Records on disk: what later and earlier versions of the plugin make of them."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from reference_driver.plugin import Checkpoint, ClaimRecord, ClaimRef, PreparedDevice
from reference_driver.plugin.checkpoint import PREPARED

SAMPLES = Path(__file__).parent / "state_files"
UID = "0b6cbbe9-2c9f-4b8e-9d0a-6d1e1f3a7c01"
DEVICE = PreparedDevice("n", "gpu-0", ("gpus",), ("v/c=x",), "share", True)
RECORD = ClaimRecord(ClaimRef("ns", "c", "uid-1"), PREPARED, "boot", (DEVICE,), {"kind": "v/c"}, {"mine": [1]})


def fields(path: Path) -> list[set[str]]:
    record = json.loads(path.read_text())["record"]
    return [set(record), *(set(device) for device in record["devices"])]


def reread(folder: Path) -> Checkpoint:
    checkpoint = Checkpoint(folder)
    checkpoint.reload()
    return checkpoint


def test_a_record_comes_back_as_it_was(tmp_path: Path) -> None:
    Checkpoint(tmp_path).save(RECORD)
    checkpoint = reread(tmp_path)
    assert checkpoint.get("uid-1") == RECORD
    assert list(checkpoint.holders(("n", "gpu-0"))) == [RECORD]
    checkpoint.delete("uid-1")
    assert list(checkpoint.holders(("n", "gpu-0"))) == []
    assert reread(tmp_path).records() == []


@pytest.mark.parametrize("sample", sorted(SAMPLES.glob("v[1-7]-*.json")), ids=lambda path: path.stem)
def test_earlier_and_later_formats_are_read(tmp_path: Path, sample: Path) -> None:
    """A file of every format that there ever was, and of one that is to come."""
    shutil.copy(sample, tmp_path / f"{UID}.json")
    (record,) = reread(tmp_path).records()
    assert (record.uid, record.state, record.boot_id) == (UID, PREPARED, "boot-1")
    assert [device.key for device in record.devices] == [("node-a", "gpu-0")]
    assert record.spec
    assert record.spec["devices"][0]["name"] == f"claim-{UID}-gpu-0"


def test_what_is_written_has_a_sample(tmp_path: Path) -> None:
    """Fails when a field is added: keep a file of the new format beside those of the earlier ones."""
    Checkpoint(tmp_path).save(RECORD)
    assert fields(tmp_path / "uid-1.json") == fields(SAMPLES / "v1-device-metadata.json")


def test_a_later_version_finds_its_fields_again(tmp_path: Path) -> None:
    path = Path(shutil.copy(SAMPLES / "v7-later.json", tmp_path / f"{UID}.json"))
    checkpoint = reread(tmp_path)
    checkpoint.save(replace(checkpoint.records()[0], boot_id="boot-2"))
    before, after = (json.loads(file.read_text())["record"] for file in (SAMPLES / "v7-later.json", path))
    assert after == before | {"bootID": "boot-2"}
    assert reread(tmp_path).records()[0].boot_id == "boot-2", "its checksum fits"


def test_a_format_that_needs_a_later_reader_is_set_aside(tmp_path: Path) -> None:
    shutil.copy(SAMPLES / "v9-needs-later-reader.json", tmp_path / f"{UID}.json")
    told: list[tuple[Path, str]] = []
    checkpoint = Checkpoint(tmp_path)
    checkpoint.on_corrupt = lambda *what: told.append(what)
    checkpoint.reload()
    assert checkpoint.records() == []
    assert checkpoint.set_aside() == [UID]
    ((file, reason),) = told
    assert file == tmp_path / f"{UID}.corrupt"
    assert "takes a reader of at least version 9" in reason


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
