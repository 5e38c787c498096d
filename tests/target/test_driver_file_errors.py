"""What an author is told about a driver file that cannot be used: what, where, what to do."""

from pathlib import Path

import pytest

from conformance.target import Target, TargetError, shipped

GOOD = """\
drivers:
  - name: gpu.example.com
process:
  command: ["{python}", -m, my_driver, "--kubeconfig={kubeconfig}"]
"""
BOMB = "".join(f"x{number}: &x{number} [{', '.join([f'*x{number - 1}'] * 20)}]\n" for number in range(1, 9))


def refusal(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    with pytest.raises(TargetError) as caught:
        Target.load(str(path))
    return str(caught.value).removeprefix(str(path)).removeprefix(str(path.parent))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("command:", "comand:", ":4: unknown key process.comand; did you mean process.command?"),
        ("process:", "proces:", ":3: unknown key proces; did you mean process?"),
        ("process:", "perNode: 2\nprocess:", ":3: unknown key perNode; it belongs at claim.perNode"),
        ("process:", "zzz: 2\nprocess:", ":3: unknown key zzz; known here are drivers, process, image, build, python,"),
        ("com\n", "com\n    features: [heath]\n", ":3: drivers[0].features[0] is the text 'heath', but one of rolling"),
        (
            "com\n",
            "com\n    features: [heath]\n",
            "binding-conditions, metadata, network is wanted; did you mean health?",
        ),
        ("com\n", "com\n    features: health\n", ":3: drivers[0].features is the text 'health', but a list is wanted"),
        ("name: gpu.example.com", "features: []", ":2: drivers[0].name is missing; add it"),
        ("gpu.example.com", "GPU example", ":2: drivers[0].name is the text 'GPU example', but a DNS name is wanted"),
        ("gpu.example.com", "7", ":2: drivers[0].name is the number 7, but a text is wanted; put it in quotes"),
        ("process:", "process:\n  env: {DEBUG: true}", ":4: process.env.DEBUG is the truth value true, but a text is"),
        (
            "process:",
            "limits: {ready: soon}\nprocess:",
            ":3: limits.ready is the text 'soon', but a number is wanted",
        ),
        (
            "process:",
            "limits: {ready: 0}\nprocess:",
            ":3: limits.ready is the number 0, but more than 0 is wanted",
        ),
        ("process:", "claim: {perNode: 0}\nprocess:", ":3: claim.perNode is the number 0, but at least 1 is wanted"),
        (
            "process:",
            "claim: {perNode: 1.5}\nprocess:",
            ":3: claim.perNode is the number 1.5, but a whole number is wanted",
        ),
        ("process:", "claim:\nprocess:", ":3: claim is empty, but a map is wanted"),
        (
            "process:",
            "manifests: [1]\nprocess:",
            ":3: manifests[0] is the number 1, but a text is wanted; put it in quotes",
        ),
        (
            "process:",
            "hooks: {restart: reboot}\nprocess:",
            "but a list is wanted; write each part as an entry of a list",
        ),
        (
            "process:",
            "hooks: {restart: []}\nprocess:",
            ":3: hooks.restart is an empty list, but at least 1 entry is wanted",
        ),
        ("process:", "drivers: []\nprocess:", ":3: is not YAML: the key 'drivers' is given twice"),
        ("process:", "  oops: [\nprocess:", "is not YAML: "),
        (
            "process:",
            "x: [--kc={kubeconfig}]\nprocess:",
            ":3: is not YAML: expected ',' or ']', but got '{'; put quotes",
        ),
        ("drivers:", "- drivers:", "is not YAML: "),
        (
            "{kubeconfig}",
            "{kubconfig}",
            ": process.command[3] has the unknown placeholder {kubconfig}; did you mean {kube",
        ),
        ("{kubeconfig}", "{kubconfig}", "known are {kubeconfig}, {node_name},"),
        (
            "process:",
            "process:\n  env: {CDI: '{cdi}'}",
            ": process.env.CDI has the unknown placeholder {cdi}; did you mean",
        ),
        (
            "process:",
            "hooks: {addDevice: ['{xyz}']}\nprocess:",
            ": hooks.addDevice[0] has the unknown placeholder {xyz};",
        ),
        (
            "process:",
            "install: {build: [[make, '{pyton}']]}\nprocess:",
            ": install.build[0][1] has the unknown placeholder {pyton}; did you mean {python}? known are {binary},",
        ),
        (
            "process:",
            "install: {build: [[make, '{node_name}']]}\nprocess:",
            ": install.build[0][1] has {node_name}, but that is another one on each node; remove it",
        ),
        ('"{python}"', "no-such-program", ": process.command[0]: 'no-such-program' is not on PATH; install it or mend"),
        (
            '"{python}"',
            "./driver",
            "/driver does not exist or cannot be executed; install it or mend process.command[0]",
        ),
        ('"{python}"', '"{binary}"', ": {binary} is used, but there is no section `build` or `python`; add one"),
        ("process:", "claim: {spec: {devices: {}}}\nprocess:", ": claim.spec is not the spec of a ResourceClaim; give"),
        ("process:\n", "hooks:\n", ":4: unknown key hooks.command; it belongs at process.command"),
        ("gpu.example.com", "gpu..com", ":2: drivers[0].name is the text 'gpu..com', but a DNS name is wanted"),
        ("process:", "  - name: gpu.example.com\nprocess:", ": drivers[1].name is 'gpu.example.com', like that of"),
        ("process:", "process:\n  env: {A=B: c}", ": process.env: 'A=B' is no name of an environment variable"),
        ("process:", "limits: {ready: .inf}\nprocess:", ":3: limits.ready is the number inf, but at most 86400 is"),
        ("process:", "container: {devices: [a(]}\nprocess:", ": container.devices: 'a(' is no regular expression"),
        ("process:", "manifests: [no.yaml]\nprocess:", "/no.yaml: the manifest cannot be read: No such file"),
        ("process:", 'mocks: "\\0"\nprocess:', ":3: is not YAML: a text with a NUL"),
        ("process:", 'mocks: "\\ud800"\nprocess:', ":3: is not YAML: a text with a NUL, or with half a surrogate"),
        ("process:", f"claim: {{perNode: {'9' * 5000}}}\nprocess:", ":3: is not YAML: '9999"),
        ("process:", "mocks: !!bool maybe\nprocess:", ":3: is not YAML: 'maybe' cannot be read as bool"),
        ("process:", "claim: &a {spec: *a}\nprocess:", ":3: is not YAML: its aliases make it too large"),
        ("process:", f"x0: &x0 [1, 1]\n{BOMB}process:", ": is not YAML: its aliases make it too large"),
        ("process:", f"claim: {{spec: {'[' * 5000}", ": is nested too deeply"),
        ("process:", f"claim: {{spec: {'{a: ' * 205}1{'}' * 205}}}\nprocess:", ": is nested too deeply"),
        ("process:", f"#{'x' * 300_000}\nprocess:", ": is longer than 256 KiB"),
    ],
)
def test_a_wrong_line_is_named_with_its_remedy(tmp_path: Path, old: str, new: str, says: str) -> None:
    assert says in refusal(tmp_path / "d.yaml", GOOD.replace(old, new, 1))


def test_every_wrong_line_is_named_at_once(tmp_path: Path) -> None:
    text = GOOD.replace("command:", "comand:").replace("name:", "nam:")
    assert len(refusal(tmp_path / "d.yaml", text).splitlines()) == 2  # and not also that two others are missing


def test_a_file_that_cannot_be_started_here_says_so(tmp_path: Path) -> None:
    assert "process is missing, so the driver cannot be started here" in refusal(
        tmp_path / "d.yaml", GOOD.partition("process:")[0]
    )
    assert Target.load(str(tmp_path / "d.yaml"), process=False).driver_name == "gpu.example.com"


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"", ": is no map; begin with `drivers:`"), (b"\xff\xfe", ": is not UTF-8 text"), (b"- a\n", ": is no map")],
)
def test_a_file_of_another_kind_is_refused(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "d.yaml"
    path.write_bytes(content)
    with pytest.raises(TargetError, match=r"d\.yaml") as caught:
        Target.load(str(path))
    assert says in str(caught.value)


@pytest.mark.parametrize("name", ["./nowhere.yaml", "~nobody-of-this-name/d.yaml", "x/" * 3000, "y" * 300 + ".yaml"])
def test_a_missing_file_is_named(name: str) -> None:
    with pytest.raises(TargetError) as caught:
        Target.load(name)
    assert f"driver file {name} does not exist; give the path of a YAML file" in str(caught.value)


def test_a_folder_is_no_driver_file(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match="is a folder; give the path of a YAML file"):
        Target.load(f"{tmp_path}/")


def test_an_unknown_name_lists_those_that_ship_and_the_nearest() -> None:
    with pytest.raises(TargetError) as caught:
        Target.load("referense")
    assert "no driver file named 'referense' ships; did you mean reference?" in str(caught.value)
    assert ", ".join(shipped()) in str(caught.value)


MANIFEST = "apiVersion: v1\nkind: Namespace\nmetadata: {name: gpu}\n"


@pytest.mark.parametrize("text", [MANIFEST, f"{MANIFEST}---\n{MANIFEST}"])
def test_kubernetes_manifests_are_recognized(tmp_path: Path, text: str) -> None:
    assert "looks like Kubernetes manifests, not like a driver file" in refusal(tmp_path / "deploy.yaml", text)


def test_several_documents_are_told(tmp_path: Path) -> None:
    assert ":5: has a second YAML document" in refusal(tmp_path / "driver.yaml", f"{GOOD}---\nclaim: {{}}\n")
