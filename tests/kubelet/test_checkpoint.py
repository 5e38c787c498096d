"""The kubelet's file of claims: byte for byte what Kubernetes writes, and its words for what it cannot read."""

import json
import zlib
from pathlib import Path

import pytest

from conformance.cluster.answer import PreparedDevice
from conformance.cluster.kubelet.checkpoint import CheckpointCorrupt, ClaimInfo, load, store

# Written by pkg/kubelet/cm/dra/state of Kubernetes 1.37.2.
DATA = (
    '{"kind":"DRACheckpoint","apiVersion":"checkpoint.dra.kubelet.k8s.io/v1","ClaimInfoStateList":[{"ClaimUID":"u1",'
    '"ClaimName":"c1","Namespace":"ns","PodUIDs":{"p1":{},"p2":{}},"DriverState":{"a.io":{"Devices":null,'
    '"skipNodeOperations":["*"]},"b.io":{"Devices":[{"PoolName":"p","DeviceName":"d","ShareID":"s",'
    '"RequestNames":["r"],"CDIDeviceIDs":["a/b=c"]},{"PoolName":"p","DeviceName":"e","ShareID":null,'
    '"RequestNames":null,"CDIDeviceIDs":null}]}}}]}'
)
CHECKSUM = 2029228754
EMPTY = '{"kind":"DRACheckpoint","apiVersion":"checkpoint.dra.kubelet.k8s.io/v1","ClaimInfoStateList":null}'
GET = "GetOrCreate() on checkpoint state: failed to get checkpoint dra_manager_state: "
CLAIM = ClaimInfo(
    "u1",
    "c1",
    "ns",
    {"p2", "p1"},
    {
        "b.io": [PreparedDevice("p", "d", ("r",), ("a/b=c",), "s"), PreparedDevice("p", "e", (), (), None)],
        "a.io": [],
    },
    {"a.io": ["*"]},
)


def file(data: str, checksum: int) -> str:
    return json.dumps({"Data": data, "Checksum": checksum}, separators=(",", ":"))


def test_what_is_written(tmp_path: Path) -> None:
    state = tmp_path / "dra_manager_state"
    store(state, [CLAIM])
    assert state.read_text() == file(DATA, CHECKSUM)
    assert load(state) == [CLAIM]
    assert list(tmp_path.iterdir()) == [state], "written aside and renamed"


def test_a_missing_file_is_made(tmp_path: Path) -> None:
    state = tmp_path / "dra_manager_state"
    assert load(state) == []
    assert state.read_text() == file(EMPTY, 4010664294)
    assert load(state) == []


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (
            "",
            f"{GET}unexpected end of JSON input",
        ),
        (
            "xx",
            f"{GET}invalid character 'x' looking for beginning of value",
        ),
        (
            file(DATA, CHECKSUM + 1),
            f"{GET}checkpoint is corrupted",
        ),
        (file("", 0), "GetEntries() on checkpoint: unexpected end of JSON input"),
    ],
)
def test_what_cannot_be_read(tmp_path: Path, content: str, text: str) -> None:
    state = tmp_path / "dra_manager_state"
    state.write_text(content)
    with pytest.raises(CheckpointCorrupt) as raised:
        load(state)
    assert str(raised.value) == f"create ResourceClaim cache: {text}"


def test_data_without_claims(tmp_path: Path) -> None:
    state = tmp_path / "dra_manager_state"
    state.write_text(file("{}", zlib.crc32(b"{}")))
    assert load(state) == []
