"""A driver that is given as a container image: what it takes to start it."""

from pathlib import Path

import pytest

from conformance.cluster.local.container import node_mounts
from conformance.target import Target, TargetError

VALUES = {
    "kubeconfig": "/run/kubeconfig",
    "node_name": "node-a",
    "node_root": "/run/a",
    "plugins_dir": "/run/a/k/plugins",
    "registry_dir": "/run/a/k/plugins_registry",
    "cdi_dir": "/run/a/cdi",
}
FILE = """
drivers: [{name: d.example.com}]
image:
  reference: example.com/driver:1
  command: ["--node={node_name}"]
  env: {KUBECONFIG: "{kubeconfig}"}
  mounts: {"{node_root}/net": /sys/class/net}
  nextVersion: {reference: "example.com/driver:2", env: {NEXT: "1"}}
"""


def target(folder: Path, text: str = FILE) -> Target:
    path = folder / "driver.yaml"
    path.write_text(text, encoding="utf-8")
    return Target.load(str(path))


def test_arguments_environment_and_mounts_are_filled_in(tmp_path: Path) -> None:
    line = target(tmp_path).command_line(VALUES)
    assert line.image
    assert (line.image.reference, line.argv, line.env) == (
        "example.com/driver:1",
        ("--node=node-a",),
        {"KUBECONFIG": "/run/kubeconfig"},
    )
    assert line.image.mounts == {Path("/run/a/net"): "/sys/class/net"}
    assert line.folders == (Path("/run/a/k/plugins/d.example.com"), Path("/run/a/net"))


def test_the_next_version_is_another_image(tmp_path: Path) -> None:
    line = target(tmp_path).command_line(VALUES, next_version=True)
    assert line.image
    assert line.image.reference == "example.com/driver:2"
    assert line.argv == ("--node=node-a",)
    assert line.env == {"KUBECONFIG": "/run/kubeconfig", "NEXT": "1"}


def test_the_node_is_where_it_is_and_where_nodes_have_it() -> None:
    assert node_mounts(VALUES) == {
        "/run/a": "/run/a",
        "/run/kubeconfig": "/run/kubeconfig",
        "/run/a/k/plugins": "/var/lib/kubelet/plugins",
        "/run/a/k/plugins_registry": "/var/lib/kubelet/plugins_registry",
        "/run/a/cdi": "/var/run/cdi",
    }


def test_a_driver_starts_in_one_way(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match=r"process and image both say how the driver starts; keep one of them$"):
        target(tmp_path, f"{FILE}process: {{command: [sh]}}\n")


def test_a_name_of_a_variable_is_looked_at(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match=r"image\.env: 'A=B' is no name of an environment variable$"):
        target(tmp_path, FILE.replace("{NEXT:", "{A=B:"))
