"""Each thing that can be wrong with a kubeconfig is told in one sentence."""

from pathlib import Path

import pytest

from conformance.cluster.existing import Unusable
from conformance.cluster.existing.access import read_context

GOOD = """
clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]
users: [{name: u, user: {token: t}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
current-context: x
"""


def test_the_current_context_is_used(tmp_path: Path) -> None:
    path = tmp_path / "kubeconfig"
    path.write_text(GOOD)
    context = read_context(path)
    assert (context.name, context.access.server, context.access.token) == ("x", "https://127.0.0.1:1", "t")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (None, "cannot be read: No such file or directory"),
        (GOOD.replace("current-context: x", "current-context: y"), "has no context named 'y'"),
        (GOOD.replace("current-context: x", ""), "has no context named None"),
        (GOOD.replace("token: t", "exec: {}"), "gets its credentials from a plugin"),
        (GOOD.replace("token: t", "client-certificate: away.pem"), "away.pem cannot be read: No such file"),
        (GOOD.replace("server", "somewhere"), "is no kubeconfig; give a file as kubectl uses it"),
        ("[1, 2]", "is no kubeconfig; give a file as kubectl uses it"),
        ("a: [", "is not YAML"),
    ],
)
def test_what_cannot_be_used_is_told(tmp_path: Path, text: str | None, sentence: str) -> None:
    path = tmp_path / "kubeconfig"
    if text is not None:
        path.write_text(text)
    with pytest.raises(Unusable, match=sentence) as caught:
        read_context(path)
    assert str(path.parent) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_certificate_that_is_none_is_told(tmp_path: Path) -> None:
    path = tmp_path / "kubeconfig"
    path.write_text(GOOD.replace("token: t", "client-certificate-data: eA==, client-key-data: eA=="))
    with pytest.raises(Unusable, match="a certificate or key in it cannot be used"):
        read_context(path).api()
