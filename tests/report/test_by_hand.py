"""What a check did as kubectl commands: what kubectl and a shell can take, and nothing that a driver could put in."""

import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from conformance.history import Event
from conformance.images import PAUSE, mirrored
from conformance.report.byhand import by_hand
from conformance.report.recorded import recorded

FAILED = "preparation.repeat_same_devices"
NAMESPACE = "dra-a-b-1"
OURS = [{"manager": "dra-conformance", "operation": "Update"}]


def obj(kind: str, name: str, uid: str = "", **more: Any) -> dict[str, Any]:
    metadata = {"name": name, "namespace": NAMESPACE, "uid": uid or f"uid-{name}", "managedFields": OURS}
    return {"apiVersion": "v1", "kind": kind, "metadata": {**metadata, **more.pop("metadata", {})}, **more}


def events(*rows: tuple[str, dict[str, Any]]) -> list[Event]:
    return [Event(seq, 100.0 + seq, kind, data) for seq, (kind, data) in enumerate(rows)]


def api(type: str, resource: str, value: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    return "api", {"type": type, "resource": resource, "object": value}


def call(method: str, *claims: dict[str, str]) -> tuple[str, dict[str, Any]]:
    endpoint = "/tmp/x/a/k/plugins/gpu.example.com/dra-da18d964-2d19-4b3e-98b8-22bc74a3b535.sock"
    told = {"source": "check", "phase": "end", "node": "node-a", "instance": endpoint, "version": "v1.DRAPlugin"}
    return "rpc", {**told, "method": method, "request": {"claims": list(claims)}, "code": "OK"}


def expect(sentence: str = "it holds", holds: bool = True) -> tuple[str, dict[str, Any]]:
    return "expect", {"requirement": "PREP-05", "sentence": sentence, "holds": holds}


def commands(script: str) -> list[str]:
    """The first words of each command, without comments and the text that is fed to commands."""
    found, end = [], ""
    for line in script.splitlines():
        if end:
            end = "" if line == end else end
        elif line and not line.startswith("#"):
            found.append(line.split(" <<")[0])
            end = line.partition("<<")[2].strip("'")
    return found


def manifests(script: str) -> list[dict[str, Any]]:
    """The YAML that the script feeds to kubectl apply."""
    parts = script.split("kubectl apply -f - <<'EOF'\n")[1:]
    return [yaml.safe_load(part.partition("\nEOF\n")[0]) for part in parts]


def test_the_script_of_a_real_check_makes_its_objects_runs_its_pod_and_makes_its_calls(real_run: Path) -> None:
    known = recorded(real_run)
    of_check = known.of_check[FAILED]
    script = by_hand(of_check, [event for event in known.events if event.seq < of_check[0].seq], "test_x.py")
    assert {value["kind"] for value in manifests(script)} == {"DeviceClass", "ResourceClaimTemplate", "Pod"}
    pod = next(value for value in manifests(script) if value["kind"] == "Pod")
    assert set(pod) == {"apiVersion", "kind", "metadata", "spec"}
    assert set(pod["metadata"]) == {"name", "namespace"}
    words = [command.split()[0] for command in commands(script)]
    assert set(words) <= {"kubectl", "grpcurl"} | {word for word in words if word.startswith(("claim1=", "uid1="))}
    assert "DRAPlugin/NodePrepareResources" in script
    assert "does NOT hold" in script
    assert "the check is in test_x.py" in script


def test_the_script_names_the_mirror_that_the_run_had(real_run: Path) -> None:
    script = by_hand(recorded(real_run).of_check[FAILED], registry="registry.example.com/mirror")
    images = re.findall(r"image: (\S+)", script)
    assert images
    assert set(images) == {mirrored(PAUSE, "registry.example.com/mirror")}


def test_a_shell_can_read_the_script_of_every_real_check(real_run: Path) -> None:
    for of_check in recorded(real_run).of_check.values():
        subprocess.run(["bash", "-n"], input=by_hand(of_check), text=True, check=True)


def test_what_the_server_and_controllers_add_is_left_out() -> None:
    claim = obj("ResourceClaim", "c", spec={"devices": {}}, status={"x": 1}, metadata={"finalizers": ["f"]})
    made_by_a_controller = obj("ResourceClaim", "d", metadata={"ownerReferences": [{"kind": "Pod", "name": "p"}]})
    rows = (api("ADDED", "resourceclaims", claim), api("ADDED", "resourceclaims", made_by_a_controller), expect())
    wanted = {"apiVersion": "v1", "kind": "ResourceClaim", "spec": {"devices": {}}}
    assert manifests(by_hand(events(*rows))) == [{**wanted, "metadata": {"name": "c", "namespace": NAMESPACE}}]


def test_a_status_that_the_check_wrote_is_patched_in() -> None:
    wrote = {"managedFields": [*OURS, {"manager": "dra-conformance", "subresource": "status"}]}
    before, after = obj("ResourceClaim", "c"), obj("ResourceClaim", "c", status={"allocation": {}}, metadata=wrote)
    script = by_hand(events(api("ADDED", "resourceclaims", before), api("MODIFIED", "resourceclaims", after), expect()))
    patch = next(command for command in commands(script) if " patch " in command)
    assert shlex.split(patch)[-1] == '{"status": {"allocation": {}}}'
    assert "--subresource=status" in patch


def test_uids_are_looked_up_as_they_are_others_elsewhere() -> None:
    claim = {"namespace": NAMESPACE, "name": "c", "uid": "uid-c"}
    strange = {"namespace": NAMESPACE, "name": "c", "uid": "never-there"}
    rows = (api("ADDED", "resourceclaims", obj("ResourceClaim", "c")), call("NodePrepareResources", claim, strange))
    script = by_hand(events(*rows, expect()))
    assert "claim1=c\nuid1=$(kubectl -n dra-a-b-1 get resourceclaim" in script
    assert '"uid":"$uid1"}' in script
    assert '"uid":"never-there"}' in script
    assert "/var/lib/kubelet/plugins/gpu.example.com/dra-*.sock" in script


def test_cleaning_up_after_the_last_judgement_is_one_command() -> None:
    claim = obj("ResourceClaim", "c")
    rows = (api("ADDED", "resourceclaims", claim), expect(), api("DELETED", "resourceclaims", claim))
    assert commands(by_hand(events(*rows)))[-1] == f"kubectl delete namespace {NAMESPACE}"
    assert "delete resourceclaims" not in by_hand(events(*rows))


@pytest.mark.parametrize("hostile", ["x\nrm -rf ~", "$(rm -rf ~)", "'; rm -rf ~; '", "EOF\nrm -rf ~", "\r\x0brm -rf ~"])
def test_a_hostile_text_stays_within_a_comment_a_word_or_a_manifest(hostile: str) -> None:
    claim = {"namespace": hostile, "name": hostile, "uid": hostile}
    rows = (
        api("ADDED", "resourceclaims", obj("ResourceClaim", hostile, spec={"text": hostile})),
        ("kubelet", {"action": "prepare_failed", "pod": hostile, "details": hostile}),
        ("process", {"phase": "signalled", "node": hostile, "name": hostile, "signal": hostile}),
        ("disturb", {"phase": "start", "node": hostile, "action": hostile, "argv": [hostile]}),
        call("NodePrepareResources", claim),
        expect(hostile),
    )
    script = by_hand(events(*rows))
    assert [word for command in commands(script) for word in command.split()[:1] if word == "rm"] == []
    tried = (
        f"kubectl() {{ cat >/dev/null </dev/null; }}; grpcurl() {{ cat >/dev/null; }}; rm() {{ echo RUN; }}\n{script}"
    )
    assert "RUN" not in subprocess.run(["bash"], input=tried, text=True, capture_output=True, check=False).stdout


def test_a_call_that_was_tried_again_and_again_stands_there_once() -> None:
    claim = {"namespace": NAMESPACE, "name": "c", "uid": "uid-c"}
    script = by_hand(events(*[call("NodeUnprepareResources", claim)] * 5, expect()))
    assert script.count("grpcurl -plaintext") == 1
    assert "# The same again, 4 times." in script


def test_a_check_that_made_nothing_has_no_script() -> None:
    assert by_hand(events(expect())) == ""
    assert by_hand([]) == ""
