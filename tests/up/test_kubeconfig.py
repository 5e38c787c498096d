"""No kubeconfig of somebody else is written over or removed."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from conformance.up import kubeconfig
from conformance.up.kubeconfig import NotOurs

CONFIG: dict[str, Any] = {
    "apiVersion": "v1",
    "kind": "Config",
    "clusters": [{"name": "c", "cluster": {"server": "https://127.0.0.1:1"}}],
    "users": [{"name": "u", "user": {"token": "t"}}],
    "contexts": [{"name": "u", "context": {"cluster": "c", "user": "u"}}],
    "current-context": "u",
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config"


def test_ours_is_private_and_may_be_written_again(file: Path) -> None:
    for server in ("https://127.0.0.1:1", "https://127.0.0.1:2"):
        kubeconfig.check(file, "dev", frozenset({"dev"}))
        kubeconfig.write(str(file), {**CONFIG, "clusters": [{"name": "c", "cluster": {"server": server}}]}, "dev")
    assert yaml.safe_load(file.read_text())["clusters"][0]["cluster"]["server"] == server
    assert file.stat().st_mode & 0o777 == 0o600
    kubeconfig.remove(str(file), "dev")
    assert not file.exists()


@pytest.mark.parametrize("text", ["", "clusters: []", "[]", "{", yaml.safe_dump(CONFIG), "\0"])
def test_what_we_have_not_written_stays(file: Path, text: str) -> None:
    file.write_text(text)
    with pytest.raises(NotOurs, match="not written by"):
        kubeconfig.check(file, "dev", frozenset())
    kubeconfig.remove(str(file), "dev")
    assert file.read_text() == text


@pytest.mark.parametrize(
    "added",
    [
        {"clusters": [{"name": "d", "cluster": {"server": "https://127.0.0.1:2"}}]},
        {"users": [{"name": "v", "user": {"token": "t"}}]},
        {"contexts": [{"name": "v", "context": {"cluster": "c", "user": "u", "namespace": "team"}}]},
    ],
)
def test_one_that_somebody_has_added_to_stays(file: Path, added: dict[str, list[Any]]) -> None:
    kubeconfig.write(str(file), CONFIG, "dev")
    config = yaml.safe_load(file.read_text())
    file.write_text(yaml.safe_dump({**config, **{key: config[key] + rows for key, rows in added.items()}}))
    with pytest.raises(NotOurs, match="alone"):
        kubeconfig.check(file, "dev", frozenset())
    kubeconfig.remove(str(file), "dev")
    assert file.exists()


@pytest.mark.parametrize(
    ("old", "new"),
    [("user: u", "user: u\n    namespace: team"), ("token: t", "token: u"), ("context: u", "context: v")],
)
def test_one_that_somebody_has_changed_stays(file: Path, old: str, new: str) -> None:
    kubeconfig.write(str(file), CONFIG, "dev")
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    kubeconfig.remove(str(file), "dev")
    assert file.exists()


def test_one_that_was_only_written_anew_is_ours(file: Path) -> None:
    kubeconfig.write(str(file), CONFIG, "dev")
    config = {**yaml.safe_load(file.read_text()), "preferences": {}, "current-context": ""}
    file.write_text(yaml.safe_dump(config, sort_keys=True))
    kubeconfig.check(file, "dev", frozenset())
    kubeconfig.remove(str(file), "dev")
    assert not file.exists()


def test_that_of_another_cluster_is_taken_only_when_that_is_gone(file: Path) -> None:
    kubeconfig.write(str(file), CONFIG, "other")
    with pytest.raises(NotOurs, match="dra-conformance down --name=other"):
        kubeconfig.check(file, "dev", frozenset({"other"}))
    kubeconfig.check(file, "dev", frozenset())
    kubeconfig.remove(str(file), "dev")
    assert file.exists()


def test_a_link_is_left_alone(file: Path, tmp_path: Path) -> None:
    file.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(NotOurs, match="symbolic link"):
        kubeconfig.check(file, "dev", frozenset())
