"""One clear sentence that names the setting, and a status that is not 0, or a log that says what is waited for."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from reference_driver.plugin import RegistrationServer, registration

from .conftest import Start
from .fake_api import FakeApi
from .process import DriverProcess, eventually

# By what is wrong: options, {root} being the node's folder, and the sentence that is told.
USAGE = {
    "unknown option": ("--no-such-option", "unrecognized arguments: --no-such-option"),
    "no node name": ("--node-name", "argument --node-name: expected one argument"),
    "count that is none": ("--num-devices=many", "argument --num-devices: invalid int value: 'many'"),
    "unknown log level": ("--log-level=loud", "argument --log-level: invalid choice: 'loud'"),
}
REFUSED = {
    "node name that cannot be one": (
        "--node-name=Node_A",
        "--node-name ($NODE_NAME) cannot be 'Node_A': it must be a DNS subdomain in lower case",
    ),
    "driver name that cannot be one": ("--driver-name=../gpu", "--driver-name cannot be '../gpu'"),
    "pod UID that cannot be one": ("--pod-uid=a/b", "--pod-uid cannot be 'a/b'"),
    "no kubeconfig there": ("--kubeconfig={root}/none", "kubeconfig {root}/none cannot be used: FileNotFoundError"),
    "kubeconfig without context": ("--kubeconfig={root}/empty", "kubeconfig {root}/empty cannot be used: KeyError"),
    "kubeconfig that is no YAML": (
        "--kubeconfig={root}/torn",
        "kubeconfig {root}/torn cannot be used: it is not YAML in line 3",
    ),
    "token that cannot be one": ("--kubeconfig={root}/odd", "the token from the kubeconfig has characters that no"),
    "inventory that is not there": ("--inventory={root}/none", "{root}/none"),
    "inventory that is no YAML": ("--inventory={root}/torn", "{root}/torn"),
    "inventory that is impossible": ("--inventory={root}/twice", "{root}/twice"),
    "plugins folder in a file": ("--plugins-dir={root}/torn", "--plugins-dir: folder {root}/torn/gpu.example.com"),
    "registry folder in a file": (
        "--registry-dir={root}/torn/reg",
        "--registry-dir: folder {root}/torn/reg cannot be made: Not a directory",
    ),
    "folder that nobody may write to": ("--registry-dir=/sys/kernel/reg", "--registry-dir: folder /sys/kernel/reg"),
    "folder with a long name": ("--registry-dir={root}/" + "x" * 100, "is longer than 107 bytes: use a shorter folder"),
    "address that is none": ("--http-address=8080", "--http-address must be host:port or :port, such as :8080"),
    "port that is too large": ("--http-address=:70000", "--http-address must be host:port or :port, such as :8080"),
}


@pytest.fixture
def files(root: Path, api: FakeApi) -> Path:
    """The node's folder with files in it that cannot be used."""
    (root / "empty").write_text("{}")
    (root / "torn").write_text("gpus: [\nusers: {token: swordfish, \n: ]")
    (root / "twice").write_text("gpus: [{count: 2, pciBusId: 00000000:01:00.0}]")
    api.kubeconfig(root / "odd", "sword\nfish")
    return root


def ended(
    root: Path, *options: str, kubeconfig: bool = True, program: Sequence[str] = ("-m", "reference_driver.gpu")
) -> tuple[int, str]:
    """The status of a driver with these options, and what it said."""
    command = [sys.executable, *program, "--node-name=node-a"]
    command += [f"--{name}-dir={root}/{name}" for name in ("plugins", "registry", "cdi")]
    command += [f"--kubeconfig={root}/kubeconfig"] if kubeconfig else []
    kept = {name: value for name, value in os.environ.items() if name not in ("KUBECONFIG", "KUBERNETES_SERVICE_HOST")}
    done = subprocess.run([*command, *options], env=kept, capture_output=True, text=True, timeout=20, check=False)
    return done.returncode, done.stderr


@pytest.mark.parametrize("what", USAGE)
def test_usage(what: str, files: Path, api: FakeApi) -> None:
    option, sentence = USAGE[what]
    status, text = ended(files, option)
    assert status == 2
    assert sentence in text.splitlines()[-1]


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_used(what: str, files: Path, api: FakeApi) -> None:
    api.kubeconfig(files / "kubeconfig")
    option, sentence = (text.replace("{root}", str(files)) for text in REFUSED[what])
    status, text = ended(files, option)
    assert status == 1
    last = json.loads(text.splitlines()[-1])
    assert sentence in last["error"]
    assert last["message"] == "the plugin cannot run"
    assert "Traceback" not in text
    assert "swordfish" not in text.replace("\\n", "")


def test_no_way_to_the_api_server(root: Path) -> None:
    status, text = ended(root, kubeconfig=False)
    assert status == 1
    assert "no way to the API server: give --kubeconfig, set KUBECONFIG or run in a pod" in text


def test_a_package_that_is_missing(root: Path, api: FakeApi) -> None:
    api.kubeconfig(root / "kubeconfig")
    program = (
        "import sys; sys.modules['prometheus_client'] = None; from reference_driver import gpu; sys.exit(gpu.main())"
    )
    status, text = ended(root, "--http-address=:0", program=("-c", program))
    assert status == 1
    assert "--http-address needs the package prometheus-client" in json.loads(text.splitlines()[-1])["error"]


def test_a_port_that_is_taken(root: Path, api: FakeApi) -> None:
    api.kubeconfig(root / "kubeconfig")
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        status, text = ended(root, f"--http-address=127.0.0.1:{port}")
    assert status == 1
    last = json.loads(text.splitlines()[-1])
    assert last["message"] == "the plugin cannot run"
    assert last["error"] == f"--http-address: cannot listen on 127.0.0.1:{port}: Address already in use"
    assert not list(root.glob("*/*.sock"))


@contextmanager
def logged(driver: DriverProcess, *words: str) -> Iterator[None]:
    """The driver says all these words in one line, and goes on; what is done in the block mends it."""
    eventually(lambda: any(all(word in line for word in words) for line in driver.log.read_text().splitlines()))
    assert driver.process.poll() is None
    yield


def test_a_node_that_is_not_there(start: Start, api: FakeApi) -> None:
    node = api.remove("nodes", "node-a")
    with logged(start(), "there is no node node-a (--node-name, $NODE_NAME) in the cluster", "will try again"):
        api.store("nodes", node)
    api.wait_slices(1, timeout=10)


def test_slices_that_are_rejected(start: Start, api: FakeApi) -> None:
    api.refusals = {"POST": 403}
    with logged(start(), "slices not published, will try again", "made-up failure 403", "resourceslices"):
        api.refusals = {}
    api.wait_slices(1, timeout=10)


def test_a_cdi_folder_that_cannot_be_written_to(start: Start, api: FakeApi, root: Path) -> None:
    (root / "cdi").touch()
    claim = api.claim("c", ("gpu-0",))
    with logged(driver := start(), "--cdi-dir cannot be written to", f"{root}/cdi"):
        assert "cdi" in driver.prepare(claim)[claim["metadata"]["uid"]].error
        (root / "cdi").unlink()
    assert driver.prepare(claim)[claim["metadata"]["uid"]].error == ""


def test_no_kubelet_looks_into_the_registry_folder(
    root: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(registration, "_PATIENCE", 0.0)
    server = RegistrationServer(root / "reg.sock", "d.example.com", root / "dra.sock", ["v1.DRAPlugin"])
    server.start()
    eventually(lambda: "no kubelet has registered the driver yet" in caplog.text)
    server.stop()
    assert "--registry-dir" in str(caplog.records[0].__dict__["fields"])
