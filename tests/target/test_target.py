"""What follows from a driver file: claims, classes, pods, command lines."""

import sys
from pathlib import Path

import pytest

from conformance.target import Target, shipped
from conformance.target.placeholders import KNOWN, fill

SMALLEST = """\
drivers:
  - name: gpu.example.com
process:
  command: [sh, -c, "echo {node_name} ${{HOME}} {}"]
"""


def target(tmp_path: Path, text: str = SMALLEST) -> Target:
    path = tmp_path / "my-gpu.yaml"
    path.write_text(text, encoding="utf-8")
    return Target.load(str(path))


@pytest.mark.parametrize("name", shipped())
def test_driver_files_that_ship_are_good(name: str) -> None:
    target = Target.load(name, process=False)
    assert target.name == name
    assert target.class_objects()[0]["metadata"]["name"] == target.device_class


def test_the_smallest_file_has_defaults_for_the_rest(tmp_path: Path) -> None:
    smallest = target(tmp_path)
    assert (smallest.name, smallest.driver_name, smallest.device_class) == (
        "my-gpu",
        "gpu.example.com",
        "gpu.example.com",
    )
    assert smallest.claim_spec() == {
        "devices": {"requests": [{"name": "device", "exactly": {"deviceClassName": "gpu.example.com"}}]}
    }
    assert smallest.class_objects()[0]["spec"] == {
        "selectors": [{"cel": {"expression": "device.driver == 'gpu.example.com'"}}]
    }
    assert smallest.claims_per_node == 1
    assert smallest.features_claimed == frozenset()


def test_a_claim_can_ask_for_more_than_the_driver_file_says(tmp_path: Path) -> None:
    spec = target(tmp_path).claim_spec(selectors=["true"], parameters={"a": 1}, admin_access=True, device_class="other")
    assert spec["devices"]["requests"][0]["exactly"] == {
        "deviceClassName": "other",
        "selectors": [{"cel": {"expression": "true"}}],
        "adminAccess": True,
    }
    assert spec["devices"]["config"] == [{"opaque": {"driver": "gpu.example.com", "parameters": {"a": 1}}}]


def test_a_claim_that_takes_all_devices_keeps_its_form(tmp_path: Path) -> None:
    text = f"""{SMALLEST}
claim:
  spec:
    devices:
      requests:
        - name: all
          exactly:
            deviceClassName: gpu.example.com
            allocationMode: All
            selectors: [{{cel: {{expression: "1 == 1"}}}}]
"""
    every = target(tmp_path, text)
    every.claim_spec(selectors=["true"])
    request = every.claim_spec(selectors=["true"])["devices"]["requests"][0]["exactly"]
    assert request["allocationMode"] == "All"
    assert [row["cel"]["expression"] for row in request["selectors"]] == ["1 == 1", "true"]


def test_alternatives_of_a_request_are_changed_each(tmp_path: Path) -> None:
    text = f"""{SMALLEST}
claim:
  spec:
    devices:
      requests:
        - name: either
          firstAvailable: [{{name: a, deviceClassName: x}}, {{name: b, deviceClassName: y}}]
"""
    subrequests = target(tmp_path, text).claim_spec(selectors=["true"])["devices"]["requests"][0]["firstAvailable"]
    assert all(sub["selectors"] == [{"cel": {"expression": "true"}}] for sub in subrequests)


def test_parameters_take_the_place_of_those_of_their_kind(tmp_path: Path) -> None:
    text = f"""{SMALLEST}
claim:
  spec:
    devices:
      requests: [{{name: a, exactly: {{deviceClassName: x}}}}]
      config:
        - opaque: {{driver: gpu.example.com, parameters: {{kind: A, old: true}}}}
        - opaque: {{driver: gpu.example.com, parameters: {{kind: B}}}}
        - opaque: {{driver: other.example.com, parameters: {{kind: A}}}}
"""
    config = target(tmp_path, text).claim_spec(parameters={"kind": "A", "new": True})["devices"]["config"]
    assert [row["opaque"]["parameters"] for row in config] == [{"kind": "B"}, {"kind": "A"}, {"kind": "A", "new": True}]


def test_pods_of_checks_get_the_overlay(tmp_path: Path) -> None:
    overlay = "{runtimeClassName: gpu, tolerations: [{key: b}], securityContext: {runAsUser: 1}}"
    spec = {"tolerations": [{"key": "a"}], "securityContext": {"fsGroup": 2}, "containers": []}
    assert target(tmp_path, f"{SMALLEST}podOverlay: {overlay}\n").pod_spec(spec) == {
        "runtimeClassName": "gpu",
        "tolerations": [{"key": "a"}, {"key": "b"}],
        "securityContext": {"fsGroup": 2, "runAsUser": 1},
        "containers": [],
    }


def test_manifests_are_files_beside_the_driver_file_or_objects(tmp_path: Path) -> None:
    (tmp_path / "more.yaml").write_text("kind: A\n---\nkind: B\n---\n", encoding="utf-8")
    objects = target(tmp_path, f"{SMALLEST}manifests: [more.yaml, {{kind: C}}]\n").objects()
    assert [obj["kind"] for obj in objects] == ["A", "B", "C"]


def test_placeholders_are_filled_in_and_other_braces_stay(tmp_path: Path) -> None:
    line = target(tmp_path).command_line(dict.fromkeys(KNOWN, "/x") | {"node_name": "node-a"})
    assert line.argv == ("sh", "-c", "echo node-a ${HOME} {}")
    assert line.cwd == tmp_path


def test_state_and_further_folders_are_known_by_name(tmp_path: Path) -> None:
    text = """
drivers: [{name: dra.net}]
process:
  command: ["{python}", "--state={state_dir}"]
  stateDir: "{node_root}/state"
  env: {SYS_CLASS_NET: "{state_dir}/net", BOOT: "{boot_id_file}"}
  folders: ["{state_dir}/net/dummy0"]
  files: {"{state_dir}/net/dummy0/uevent": "DEVTYPE=dummy"}
  nextVersion: {env: {VERSION: "2"}}
"""
    net = target(tmp_path, text)
    line = net.command_line(dict.fromkeys(KNOWN, "?") | {"node_root": "/n"})
    assert line.argv[1:] == ("--state=/n/state",)
    assert line.folders == (Path("/n/state"), Path("/n/state/net/dummy0"))
    assert line.files == {Path("/n/state/net/dummy0/uevent"): "DEVTYPE=dummy"}
    assert net.reads_boot_id
    values = dict.fromkeys(KNOWN, "?")
    assert "VERSION" not in line.env
    assert net.command_line(values, next_version=True).env == {
        "SYS_CLASS_NET": "?/state/net",
        "BOOT": "?",
        "VERSION": "2",
    }


def test_python_is_the_one_that_runs_the_suite(tmp_path: Path) -> None:
    text = SMALLEST.replace("sh, -c", '"{python}", -c')
    line = target(tmp_path, text).command_line(dict.fromkeys(KNOWN, "?"))
    assert line.argv[0] == sys.executable


def test_a_program_with_a_slash_is_found_beside_the_driver_file(tmp_path: Path) -> None:
    program = tmp_path / "driver"
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    mine = target(tmp_path, SMALLEST.replace("sh, -c", "./driver"))
    assert mine.command_line(dict.fromkeys(KNOWN, "?")).argv[0] == str(program)


def test_a_placeholder_without_a_value_is_not_left_in() -> None:
    with pytest.raises(KeyError):
        fill("{node_name}", {})
