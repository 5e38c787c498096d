"""Kubeconfigs in the forms that people have them."""

import base64
from pathlib import Path
from typing import Any

import pytest
import yaml

from conformance.cluster.api import Api
from conformance.cluster.embedded.apiserver import ApiServer
from conformance.cluster.kubeconfig import read_kubeconfig


def write(path: Path, cluster: dict[str, Any], user: dict[str, Any]) -> Path:
    config = {
        "current-context": "c",
        "contexts": [{"name": "c", "context": {"cluster": "k", "user": "u"}}],
        "clusters": [{"name": "k", "cluster": cluster}],
        "users": [{"name": "u", "user": user}],
    }
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
    return path


@pytest.mark.parametrize("form", ["data", "files"])
def test_authority_and_token(server: ApiServer, tmp_path: Path, form: str) -> None:
    ca, token = server.ca_file.read_bytes(), str(server.access().token)
    cluster, user = {"server": server.url}, {"token": token}
    if form == "data":
        cluster["certificate-authority-data"] = base64.b64encode(ca).decode()
    else:
        (tmp_path / "ca.crt").write_bytes(ca)
        (tmp_path / "token").write_text(token + "\n", encoding="utf-8")
        cluster["certificate-authority"] = "ca.crt"
        user = {"tokenFile": "token"}
    api = Api.from_kubeconfig(write(tmp_path / "kc", cluster, user))
    assert api.list("namespaces")["items"]
    api.close()


def test_the_environment_says_nothing_about_trust(server: ApiServer, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/nowhere")
    monkeypatch.setenv("SSL_CERT_FILE", "/nowhere")
    assert server.api().list("namespaces")["items"]


def test_a_client_certificate_is_read(tmp_path: Path) -> None:
    (tmp_path / "tls.crt").write_text("CERT", encoding="utf-8")
    user = {"client-certificate": "tls.crt", "client-key-data": base64.b64encode(b"KEY").decode()}
    access = read_kubeconfig(write(tmp_path / "kc", {"server": "https://x"}, user))
    assert (access.cert_data, access.key_data) == ("CERT", "KEY")


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    path = tmp_path / "kc"
    path.write_text("current-context: gone\ncontexts: []\n", encoding="utf-8")
    with pytest.raises(ValueError, match="has no context named 'gone'"):
        read_kubeconfig(path)


def test_plugins_for_credentials_are_not_run(tmp_path: Path) -> None:
    path = write(tmp_path / "kc", {"server": "https://x"}, {"exec": {"command": "aws"}})
    with pytest.raises(ValueError, match="give a kubeconfig with a token"):
        read_kubeconfig(path)
