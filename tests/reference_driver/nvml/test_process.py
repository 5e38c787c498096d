"""The driver on NVML as a process: what it publishes, prepares and refuses, through its sockets."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from reference_driver.gpu import main
from tests.reference_driver.fake_api import FakeApi
from tests.reference_driver.process import DriverProcess

from .conftest import LONG, Machine, devices, of
from .test_sharing import DEFAULT, DIVIDED, EXCLUSIVE_PROCESS, mode

Run = Callable[..., DriverProcess]
CONFIG = {"apiVersion": "gpu.resource.example.com/v1alpha1", "kind": "GpuConfig", "sharing": DIVIDED}


def sick(api: FakeApi) -> list[str]:
    """Devices with taints."""
    return [name for name, device in devices(api.slices()).items() if device.get("taints")]


@of("mixed")
def test_from_a_gpu_that_falls_ill_to_a_taint_and_back(machine: Machine, run: Run, api: FakeApi) -> None:
    def tainted(names: list[str]) -> None:
        with api.changed:
            assert api.changed.wait_for(lambda: sick(api) == names, LONG), sick(api)

    first = run()
    assert len(devices(api.wait_slices(2))) == 6
    migs = [name for name in devices(api.slices()) if "mig" in name]
    machine.happens("sicken", "gpu-0")
    tainted(migs)
    answer = first.prepare(api.claim("one", (migs[0],), uid="uid-1"))["uid-1"]
    assert answer.error == f"device {migs[0]} of pool node-a is unhealthy: fell off the bus"
    first.kill()
    run()
    machine.happens("recover")
    tainted([])


@of("l40s-4")
def test_a_claim_gets_its_gpu_and_its_setting_until_it_ends(
    machine: Machine, run: Run, api: FakeApi, root: Path
) -> None:
    driver = run("--set-compute-mode", "--cdi-hook=/usr/bin/nvidia-cdi-hook")
    api.wait_slices(1)
    opaque = {"driver": "gpu.example.com", "parameters": CONFIG}
    claim = api.claim("one", ("gpu-2",), uid="uid-1", config=[{"source": "FromClaim", "opaque": opaque}])
    assert driver.prepare(claim)["uid-1"].error == ""
    (file,) = (root / "cdi").glob("*.json")
    spec = json.loads(file.read_text())
    (device,) = spec["devices"]
    assert device["containerEdits"]["deviceNodes"] == [{"path": "/dev/nvidia2"}]
    assert {hook["args"][1] for hook in spec["containerEdits"]["hooks"]} == {"create-symlinks", "update-ldcache"}
    assert mode(machine, 2) == EXCLUSIVE_PROCESS
    driver.kill()
    assert run("--set-compute-mode").unprepare(claim)["uid-1"].error == ""
    assert mode(machine, 2) == DEFAULT
    assert list((root / "cdi").iterdir()) == []


@of("l40s-4")
def test_a_library_that_is_missing_is_one_sentence(machine: Machine, root: Path, api: FakeApi) -> None:
    command = [sys.executable, "-m", "reference_driver.gpu", "--node-name=node-a", "--gpus=nvml"]
    command += [f"--kubeconfig={api.kubeconfig(root / 'kubeconfig')}", f"--plugins-dir={root}/plugins"]
    other = root / "libother.so"
    libc = next(line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines() if "libc.so" in line)
    other.symlink_to(libc)
    env = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
    for library, words in ((root / "none.so", "cannot be loaded"), (other, "is a library of another name")):
        setting = f"--nvml-library={library}"
        done = subprocess.run([*command, setting], env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 1
        (line,) = done.stderr.splitlines()
        assert setting in json.loads(line)["error"]
        assert words in json.loads(line)["error"]


@pytest.mark.parametrize(
    "option", ["--look-every=never", "--ignored-xids=94;95", "--gpus=none", "--num-devices=2", "--fleet=extras"]
)
def test_options_that_cannot_be_are_refused(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--node-name=node-a", "--gpus=nvml", option])
    assert ended.value.code == 2
    assert option.partition("=")[0] in capsys.readouterr().err.splitlines()[-1]
