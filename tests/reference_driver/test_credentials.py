"""Kubeconfig files, and what they may not be."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from reference_driver.plugin import KubeClient, PluginError
from reference_driver.plugin.credentials import find


def kubeconfig(tmp_path: Path, cluster: dict[str, Any], user: dict[str, Any]) -> Path:
    path = tmp_path / "config"
    named = {"clusters": [{"name": "c", "cluster": {"server": "https://h:6443"} | cluster}]}
    named |= {
        "users": [{"name": "u", "user": user}],
        "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u"}}],
    }
    path.write_text(json.dumps({"current-context": "x", **named}))
    return path


def test_data_and_files(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_bytes(b"CA")
    (tmp_path / "token").write_text("first\n")
    cluster, user = {"certificate-authority": "ca.pem"}, {"tokenFile": "token"}
    found = find(kubeconfig(tmp_path, cluster, user))
    assert (found.server, found.ca, found.bearer()) == ("https://h:6443", b"CA", "first")
    (tmp_path / "token").write_text("second\n")
    assert found.bearer() == "second", "the kubelet rotates it"
    cluster = {"certificate-authority-data": base64.b64encode(b"CB").decode()}
    assert find(kubeconfig(tmp_path, cluster, {"token": "t"})).ca == b"CB"


def test_the_environment_is_the_second_choice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUBECONFIG", str(kubeconfig(tmp_path, {}, {"token": "t"})))
    assert find(None).token == "t"
    monkeypatch.delenv("KUBECONFIG")
    with pytest.raises(PluginError, match="give --kubeconfig"):
        find(None)


@pytest.mark.parametrize("text", ["", "a: [", "current-context: x", "[]", "{current-context: x, contexts: [{}]}"])
def test_a_file_that_is_none(tmp_path: Path, text: str) -> None:
    path = tmp_path / "config"
    path.write_text(text)
    with pytest.raises(PluginError, match="cannot be used"):
        find(path)
    with pytest.raises(PluginError, match="cannot be used"):
        find(tmp_path / "none")


@pytest.mark.parametrize(
    ("cluster", "user", "sentence"),
    [
        ({"server": "h:6443"}, {"token": "t"}, "server h:6443 must begin with https://"),
        (
            {},
            {"exec": {"command": "login"}},
            "user u proves who it is by exec, which this driver cannot do; give it one",
        ),
    ],
)
def test_what_this_client_cannot_do(
    tmp_path: Path, cluster: dict[str, Any], user: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(PluginError, match=sentence):
        find(kubeconfig(tmp_path, cluster, user))


def test_certificates_that_are_none(tmp_path: Path) -> None:
    authority = {"certificate-authority-data": base64.b64encode(b"none").decode()}
    with pytest.raises(PluginError, match="the certificates for the API server https://h:6443 cannot be used"):
        KubeClient(find(kubeconfig(tmp_path, authority, {"token": "t"})))


def test_a_token_that_is_gone_is_said(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("first\n")
    found = find(kubeconfig(tmp_path, {}, {"tokenFile": "token"}))
    (tmp_path / "token").unlink()
    with pytest.raises(PluginError, match=f"token file {tmp_path}/token cannot be read: FileNotFoundError"):
        found.bearer()
