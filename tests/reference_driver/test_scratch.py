"""The driver of the tutorial: disks come and go, are emptied between two claims, and nobody else's are touched."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.variants import ROOT

from .conftest import Start
from .fake_api import FakeApi, Object
from .process import DRIVER, DriverProcess, eventually

PROGRAM = ROOT / "examples" / "scratch_driver.py"


@pytest.fixture
def disks(root: Path) -> Path:
    for name in ("fast", "slow"):
        (root / "disks" / name).mkdir(parents=True)
    return root / "disks"


@pytest.fixture
def driver(start: Start, disks: Path) -> Callable[[], DriverProcess]:
    """Starts it, by the name that claims of these tests are allocated from."""
    return lambda: start(f"--driver-name={DRIVER}", f"--disks={disks}", program=(str(PROGRAM),))


def error(answers: Any) -> str:
    (entry,) = answers.values()
    return str(entry.error)


def names(api: FakeApi) -> list[str]:
    return [device["name"] for item in api.slices() for device in item["spec"]["devices"]]


def edits(root: Path) -> tuple[list[str], Object, Object]:
    """What the container runtime is told of the only device: variables, its mount, that of the file about it."""
    (path,) = (root / "cdi").glob("*.json")
    (device,) = json.loads(path.read_text())["devices"]
    disk, file = device["containerEdits"]["mounts"]
    return device["containerEdits"]["env"], disk, file


def test_a_disk_is_emptied_and_what_links_lead_to_is_left_alone(
    driver: Callable[[], DriverProcess], api: FakeApi, disks: Path, root: Path
) -> None:
    (disks / "slow" / "of another").touch()
    (root / "elsewhere").mkdir()
    (root / "elsewhere" / "file").touch()
    claim, running = api.claim("one", ("fast",)), driver()
    assert error(running.prepare(claim)) == ""
    options = ["bind", "nodev", "nosuid", "rw"]
    env, disk, file = edits(root)
    assert env == ["SCRATCH_FAST=/scratch/fast"]
    assert disk == {"hostPath": str(disks / "fast"), "containerPath": "/scratch/fast", "options": options}
    (request,) = json.loads(Path(file["hostPath"]).read_text())["requests"]
    assert request["devices"][0]["attributes"] == {"mounted": {"bool": False}}
    assert (disks / "fast").stat().st_mode & 0o7777 == 0o1777

    (disks / "fast" / "folder" / "deeper").mkdir(parents=True)
    (disks / "fast" / "file").touch()
    (disks / "fast" / "link").symlink_to(root / "elsewhere")
    assert error(running.unprepare(claim)) == ""
    assert list((disks / "fast").iterdir()) == []
    assert (root / "elsewhere" / "file").exists()
    assert (disks / "slow" / "of another").exists()


def test_an_administrator_reads_and_leaves_everything_there(
    driver: Callable[[], DriverProcess], api: FakeApi, disks: Path, root: Path
) -> None:
    claim, running = api.claim("one", ("fast",)), driver()
    claim["status"]["allocation"]["devices"]["results"][0]["adminAccess"] = True
    (disks / "fast" / "file").touch()
    assert error(running.prepare(claim)) == ""
    _, disk, _ = edits(root)
    assert disk["options"] == ["bind", "nodev", "nosuid", "ro"]
    assert error(running.unprepare(claim)) == ""
    assert (disks / "fast" / "file").exists()


def test_parameters_are_refused(driver: Callable[[], DriverProcess], api: FakeApi) -> None:
    config = [{"source": "FromClaim", "requests": [], "opaque": {"driver": DRIVER, "parameters": {"a": 1}}}]
    claim = api.claim("one", ("fast",), config=config)
    assert error(driver().prepare(claim)) == f"driver {DRIVER} takes no parameters, and claim default/one has some"


def test_disks_come_and_go(driver: Callable[[], DriverProcess], api: FakeApi, disks: Path) -> None:
    claim, running = api.claim("one", ("slow",)), driver()
    assert error(running.prepare(claim)) == ""
    (disks / "new").mkdir()
    eventually(lambda: names(api) == ["fast", "new", "slow"])
    (disks / "slow").rmdir()
    eventually(lambda: names(api) == ["fast", "new"])
    assert error(running.unprepare(claim)) == ""
    late = api.claim("late", ("slow",))
    assert error(running.prepare(late)) == (
        "device slow of pool node-a, allocated to claim default/late, does not exist on node node-a"
    )


def test_while_it_cannot_look_it_keeps_what_it_had_and_says_so_once(
    driver: Callable[[], DriverProcess], api: FakeApi, disks: Path
) -> None:
    running = driver()
    api.wait_slices(1)
    disks.rename(disks.with_name("away"))
    eventually(lambda: "cannot look at the devices" in running.log.read_text())
    assert names(api) == ["fast", "slow"]
    disks.with_name("away").rename(disks)
    (disks / "new").mkdir()
    eventually(lambda: names(api) == ["fast", "new", "slow"])
    assert running.log.read_text().count("cannot look at the devices") == 1


def test_without_the_folder_it_does_not_start(api: FakeApi, root: Path) -> None:
    command = [sys.executable, str(PROGRAM), "--node-name=node-a", f"--disks={root}/none"]
    command += [f"--kubeconfig={api.kubeconfig(root / 'kubeconfig')}", f"--plugins-dir={root}/plugins"]
    command += [f"--registry-dir={root}/reg", f"--cdi-dir={root}/cdi"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    *_, said = map(json.loads, done.stderr.splitlines())
    assert done.returncode == 1
    assert said["error"] == f"--disks: {root}/none is no folder; mount disks in it, or name another one"
