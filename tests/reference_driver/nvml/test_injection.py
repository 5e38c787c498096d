"""What containers get: nodes, files of the vendor's driver and hooks, of those that the machine has."""

from pathlib import Path
from typing import Any

import pytest

from fakegpu.tree import capability
from reference_driver.plugin import AllocatedDevice, Claim, ClaimError, ClaimRef, ContainerEdits

from .conftest import Machine, of

LIBRARIES = "/usr/lib/x86_64-linux-gnu"
CONTROL = ["/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools", "/dev/nvidia-modeset"]


def claim(*devices: str) -> Claim:
    return Claim(
        ClaimRef("default", "gpus", "uid-1"), tuple(AllocatedDevice("gpus", "node-a", name) for name in devices)
    )


def prepared(machine: Machine, *devices: str, **options: Any) -> tuple[ContainerEdits, list[ContainerEdits]]:
    """What a claim for these devices gets once, and for each device."""
    plan = machine.follow(**options).driver.prepare(claim(*devices))
    return plan.common, list(plan.edits)


def paths(edits: ContainerEdits) -> list[str]:
    return [node["path"] for node in edits.device_nodes]


@of("l40s-4")
def test_a_container_gets_the_gpu_and_what_controls_all(machine: Machine) -> None:
    common, (one, other) = prepared(machine, "gpu-1", "gpu-3")
    assert (paths(one), paths(other)) == (["/dev/nvidia1"], ["/dev/nvidia3"])
    assert paths(common) == CONTROL
    assert "NVIDIA_VISIBLE_DEVICES=void" in common.env
    assert "KUBERNETES_NODE_NAME=node-a" in common.env
    assert "GPU_DEVICE_3=gpu-3" in other.env
    assert "GPU_DEVICE_GPU_3_RESOURCE_CLAIM=uid-1" in other.env


@of("mixed")
def test_a_partition_comes_with_access_to_its_instances(machine: Machine) -> None:
    _, (one,) = prepared(machine, "gpu-0-mig-3g40gb-4")
    nodes = [f"/dev/nvidia-caps/nvidia-cap{minor}" for minor in (capability(0, 2), capability(0, 2, 0))]
    assert paths(one) == ["/dev/nvidia0", *nodes]
    assert one.device_nodes[1] == {"path": nodes[0], "type": "c", "major": 235, "minor": capability(0, 2)}
    assert "GPU_DEVICE_0_MIG_3G40GB_4=gpu-0-mig-3g40gb-4" in one.env
    for node in nodes:
        (machine.root / node[1:]).touch()
    _, (again,) = prepared(machine, "gpu-0-mig-3g40gb-4")
    assert again.device_nodes[1] == {"path": nodes[0]}, "its file says what it is"


@of("l40s-4")
def test_files_of_the_driver_are_mounted_where_they_are(machine: Machine) -> None:
    (machine.root / LIBRARIES[1:] / "libcuda.so.1.2.3").touch()  # of another version
    (machine.root / "run/nvidia-persistenced").mkdir(parents=True)
    (machine.root / "run/nvidia-persistenced/socket").touch()
    common, _ = prepared(machine, "gpu-0")
    mounts = {mount["containerPath"]: mount for mount in common.mounts}
    version = (machine.root / "proc/driver/nvidia/version").read_text().split()[-1]
    assert mounts[f"{LIBRARIES}/libcuda.so.{version}"] == {
        "hostPath": f"{LIBRARIES}/libcuda.so.{version}",
        "containerPath": f"{LIBRARIES}/libcuda.so.{version}",
        "options": ["ro", "nosuid", "nodev", "rbind", "rprivate"],
    }
    assert f"{LIBRARIES}/libcuda.so.1.2.3" not in mounts
    assert "/usr/bin/nvidia-smi" in mounts
    assert mounts["/run/nvidia-persistenced/socket"]["options"][-1] == "noexec"
    assert all((machine.root / path[1:]).exists() for path in mounts)


@of("l40s-4")
def test_the_driver_root_is_where_runtimes_find_the_files(machine: Machine) -> None:
    common, (one,) = prepared(machine, "gpu-0", driver_root=Path("/run/nvidia/driver"))
    assert one.device_nodes == [{"path": "/dev/nvidia0", "hostPath": "/run/nvidia/driver/dev/nvidia0"}]
    smi = next(mount for mount in common.mounts if mount["containerPath"] == "/usr/bin/nvidia-smi")
    assert smi["hostPath"] == "/run/nvidia/driver/usr/bin/nvidia-smi"


@of("l40s-4")
def test_hooks_make_links_and_the_cache_of_the_linker(machine: Machine, caplog: pytest.LogCaptureFixture) -> None:
    common, _ = prepared(machine, "gpu-0")
    assert common.hooks == []
    assert any("--cdi-hook" in record.message for record in caplog.records)
    (machine.root / "usr/bin/nvidia-cdi-hook").touch()
    common, _ = prepared(machine, "gpu-0")
    assert common.hooks == [
        {
            "hookName": "createContainer",
            "path": "/usr/bin/nvidia-cdi-hook",
            "args": ["nvidia-cdi-hook", "create-symlinks", "--link", f"libcuda.so.1::{LIBRARIES}/libcuda.so"],
        },
        {
            "hookName": "createContainer",
            "path": "/usr/bin/nvidia-cdi-hook",
            "args": ["nvidia-cdi-hook", "update-ldcache", "--folder", LIBRARIES],
        },
    ]
    common, _ = prepared(machine, "gpu-0", cdi_hook=Path("/opt/bin/nvidia-ctk"))
    assert common.hooks[1]["path"] == "/opt/bin/nvidia-ctk"
    assert common.hooks[1]["args"][:3] == ["nvidia-ctk", "hook", "update-ldcache"]


@of("l40s-4")
def test_a_node_that_is_missing_is_an_error_until_it_is_there(machine: Machine) -> None:
    driver = machine.follow().driver
    for name in ("nvidia0", "nvidia-uvm"):
        (machine.root / "dev" / name).unlink()
        with pytest.raises(ClaimError, match=f"there is no /dev/{name} .* nvidia-modprobe"):
            driver.prepare(claim("gpu-0"))
        (machine.root / "dev" / name).touch()
    (machine.root / "dev/nvidia-modeset").unlink()
    assert paths(driver.prepare(claim("gpu-0")).common) == CONTROL[:-1]


@of("l40s-4")
def test_libraries_that_come_later_are_found(machine: Machine) -> None:
    folder = machine.root / LIBRARIES[1:]
    folder.rename(machine.root / "elsewhere")
    driver = machine.follow().driver
    assert not any(".so." in mount["containerPath"] for mount in driver.prepare(claim("gpu-0")).common.mounts)
    (machine.root / "elsewhere").rename(folder)
    assert any(".so." in mount["containerPath"] for mount in driver.prepare(claim("gpu-0")).common.mounts)


@of("mixed")
def test_what_is_not_there_is_refused(machine: Machine) -> None:
    driver = machine.follow().driver
    for name in ("gpu-0", "gpu-7", "gpu-0-mig-7g80gb-0"):
        with pytest.raises(ClaimError, match=f"device {name} of pool node-a does not exist"):
            driver.check(claim(name))
