"""Made-up hardware of a driver file, which hooks take away, does not come back when the driver is started again."""

from pathlib import Path

from conformance.cluster.embedded import EmbeddedBackend
from conformance.history import History
from conformance.target import Target

DRIVER_FILE = """
drivers: [{name: scratch.example.com}]
process:
  command: [sleep, "60"]
  files: {"{node_root}/disks/one/id": "1", "{node_root}/disks/two/id": "2"}
  folders: ["{node_root}/cache"]
"""


def test_files_are_made_before_the_first_start_and_folders_before_each(run_dir: Path, tmp_path: Path) -> None:
    (tmp_path / "driver.yaml").write_text(DRIVER_FILE)
    backend = EmbeddedBackend(run_dir, History(), log_dir=tmp_path / "logs")
    backend.start()
    try:
        installation = backend.install(Target.load(str(tmp_path / "driver.yaml")))
        root = backend.nodes[0].root
        installation.start()
        assert [path.read_text() for path in sorted(root.glob("disks/*/id"))] == ["1", "2"]
        (root / "disks" / "one" / "id").unlink()
        (root / "cache").rmdir()
        installation.start()
        assert [path.read_text() for path in root.glob("disks/*/id")] == ["2"]
        assert (root / "cache").is_dir()
    finally:
        backend.stop()
