"""The validating webhook: a process of its own, asked over HTTPS."""

import json
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conformance.cluster.local.tls import make_server_files

from .process import eventually
from .webhook_process import WebhookProcess

DRIVER, VERSIONS = "gpu.example.com", ("v1", "v1beta2", "v1beta1")
Object = dict[str, Any]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("webhook")


@pytest.fixture(scope="module")
def webhook(folder: Path) -> Iterator[WebhookProcess]:
    process = WebhookProcess(folder)
    yield process
    assert process.end() == 0


def config(driver: str = DRIVER, **sharing: Any) -> Object:
    parameters = {"apiVersion": "gpu.resource.example.com/v1alpha1", "kind": "GpuConfig", "sharing": sharing}
    return {"opaque": {"driver": driver, "parameters": parameters}}


GOOD, BAD = config(strategy="TimeSlicing"), config(strategy="Luck")


def claim(*configs: Object, version: str = "v1", **meta: Any) -> Object:
    return {
        "apiVersion": f"resource.k8s.io/{version}",
        "kind": "ResourceClaim",
        "metadata": {"name": "c", **meta},
        "spec": {"devices": {"config": list(configs)}},
    }


def template(*configs: Object, version: str = "v1") -> Object:
    return claim(*configs, version=version) | {
        "kind": "ResourceClaimTemplate",
        "spec": {"spec": {"devices": {"config": list(configs)}}},
    }


def device_class(*configs: Object, version: str = "v1") -> Object:
    return claim(*configs, version=version) | {"kind": "DeviceClass", "spec": {"config": list(configs)}}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    ("make", "path"),
    [(claim, "spec.devices"), (template, "spec.spec.devices"), (device_class, "spec")],
)
def test_a_wrong_config_is_refused_with_the_path_of_its_field(
    webhook: WebhookProcess, make: Any, path: str, version: str
) -> None:
    assert webhook.review(make(GOOD, version=version))["allowed"] is True
    response = webhook.review(make(GOOD, BAD, version=version))
    field = f"{path}.config[1].opaque.parameters.sharing.strategy"
    assert response["allowed"] is False
    assert (response["status"]["code"], response["status"]["reason"]) == (422, "Invalid")
    assert response["status"]["message"] == (
        f"{field}: GPU config field sharing.strategy must be one of TimeSlicing, SpacePartitioning"
    )
    assert [cause["field"] for cause in response["status"]["details"]["causes"]] == [field]


def test_all_that_is_wrong_is_told_at_once(webhook: WebhookProcess) -> None:
    no_kind = {"opaque": {"driver": DRIVER, "parameters": {"apiVersion": "gpu.resource.example.com/v1alpha1"}}}
    none, text = {"opaque": {"driver": DRIVER}}, {"opaque": {"driver": DRIVER, "parameters": "text"}}
    causes = webhook.review(claim(no_kind, BAD, none, text))["status"]["details"]["causes"]
    assert [cause["field"].removeprefix("spec.devices.") for cause in causes] == [
        "config[0].opaque.parameters.kind",
        "config[1].opaque.parameters.sharing.strategy",
        "config[2].opaque.parameters.apiVersion",
        "config[3].opaque.parameters",
    ]


def test_configs_of_other_drivers_are_nothing_to_it(webhook: WebhookProcess) -> None:
    assert webhook.review(claim(config("other.example.com", strategy="Luck")))["allowed"] is True
    assert webhook.review(claim(config(f"sub.{DRIVER}", strategy="Luck")))["allowed"] is True
    assert webhook.review({"kind": "ResourceClaim", "spec": {}})["allowed"] is True


def test_what_an_object_had_before_does_not_keep_it_from_being_changed(webhook: WebhookProcess) -> None:
    """Or the finalizer of a claim that was made while the webhook was away could never be removed."""
    assert webhook.review(claim(BAD), old=claim(BAD, finalizers=["x"]))["allowed"] is True
    assert webhook.review(claim(BAD), old=claim(GOOD))["allowed"] is False


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/readyz", None, 200),
        ("GET", "/validate", None, 404),
        ("POST", "/other", b"{}", 404),
        ("POST", "/validate", b"{", 400),
        ("POST", "/validate", b"\xff", 400),
        ("POST", "/validate", b"[]", 400),
        ("POST", "/validate", b"[" * 100_000, 400),
        ("POST", "/validate", json.dumps({"apiVersion": "admission.k8s.io/v1beta1"}).encode(), 400),
    ],
)
def test_what_is_no_review_is_answered_with_an_error(
    webhook: WebhookProcess, method: str, path: str, body: bytes | None, status: int
) -> None:
    assert webhook.request(method, path, body)[0] == status
    assert webhook.review(claim(GOOD))["allowed"] is True


def test_a_client_that_says_nothing_keeps_nobody_waiting(webhook: WebhookProcess) -> None:
    with socket.create_connection(("127.0.0.1", webhook.port)):
        assert webhook.review(claim(GOOD))["allowed"] is True


def test_bodies_that_are_too_long_are_not_read(webhook: WebhookProcess) -> None:
    context = ssl.create_default_context(cafile=str(webhook.files.ca))
    with (
        socket.create_connection(("127.0.0.1", webhook.port), timeout=10) as plain,
        context.wrap_socket(plain, server_hostname="127.0.0.1") as connection,
    ):
        connection.sendall(b"POST /validate HTTP/1.1\r\nHost: x\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n")
        assert connection.recv(64).startswith(b"HTTP/1.1 413 ")


def test_parameters_are_never_logged(webhook: WebhookProcess) -> None:
    webhook.review(claim(config(strategy="hunter2", timeSlicingConfig={"interval": "hunter2"})))
    eventually(lambda: '"refused"' in webhook.log.read_text())
    assert "hunter2" not in webhook.log.read_text()


def serial(webhook: WebhookProcess) -> str:
    """The number of the certificate that it shows."""
    context = ssl.create_default_context(cafile=str(webhook.files.ca))
    with (
        socket.create_connection(("127.0.0.1", webhook.port), timeout=10) as plain,
        context.wrap_socket(plain, server_hostname="127.0.0.1") as connection,
    ):
        return str(dict(connection.getpeercert() or {})["serialNumber"])


def test_a_certificate_that_is_replaced_is_used_for_the_next_connection(webhook: WebhookProcess, folder: Path) -> None:
    old, new = webhook.files, make_server_files(folder / "new")
    before = serial(webhook)
    old.key.write_bytes(new.key.read_bytes())  # does not fit yet: the old pair is used on
    assert serial(webhook) == before
    assert "new certificate not taken over" in webhook.log.read_text()
    old.cert.write_bytes(new.cert.read_bytes())
    old.ca.write_bytes(new.ca.read_bytes())
    assert serial(webhook) != before
    assert webhook.review(claim(BAD))["allowed"] is False


def test_it_ends_when_it_is_told_to_also_with_connections_open(tmp_path: Path) -> None:
    process = WebhookProcess(tmp_path)
    with socket.create_connection(("127.0.0.1", process.port)):
        assert process.end() == 0
    assert "Traceback" not in process.log.read_text()


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["--tls-cert=/none.crt", "--tls-key=/none.key"], 1, "/none.crt"),
        (["--tls-cert={ca}", "--tls-key={key}"], 1, "cannot be used"),
        (["--tls-cert={cert}", "--tls-key={key}", "--port=99999"], 1, "cannot listen on 127.0.0.1 port 99999"),
        (["--tls-cert={cert}", "--tls-key={key}", "--host=192.0.2.1"], 1, "cannot listen on 192.0.2.1"),
        (["--tls-key={key}"], 2, "--tls-cert"),
    ],
)
def test_why_it_cannot_start_is_said_in_a_sentence(
    tmp_path: Path, arguments: list[str], status: int, words: str
) -> None:
    files = make_server_files(tmp_path)
    given = [part.format(ca=files.ca, cert=files.cert, key=files.key) for part in arguments]
    command = [sys.executable, "-m", "reference_driver.gpu.webhook", "--host=127.0.0.1", "--port=0", *given]
    done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    assert done.returncode == status
    assert words in done.stderr
    assert "Traceback" not in done.stderr
