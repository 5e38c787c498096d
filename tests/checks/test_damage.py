"""State files are found, damaged, and put back as they were."""

import socket
from pathlib import Path

from conformance.checks.restart.damage import DAMAGES, damage, put_back, read


def test_files_that_are_not_empty_are_state_and_sockets_are_not(tmp_path: Path) -> None:
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / "a.json").write_bytes(b"{}")
    (tmp_path / "lock").touch()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "s"))
        assert read(tmp_path) == {tmp_path / "claims" / "a.json": b"{}"}


def test_each_damage_changes_a_file(tmp_path: Path) -> None:
    state = {tmp_path / "a": b"whole", tmp_path / "b": b"as well"}
    for how in DAMAGES.values():
        damage(state, how)
        assert all(path.read_bytes() != content for path, content in state.items())


def test_put_back_leaves_no_other_file(tmp_path: Path) -> None:
    state = {tmp_path / "a": b"1"}
    damage(state, bytes.upper)
    (tmp_path / "newer").write_bytes(b"2")
    put_back(tmp_path, state)
    assert read(tmp_path) == state
