"""What is secret is hidden, and what is not stays readable."""

import json
from typing import Any

import pytest

from conformance.redact import MASK, hide, redact, redact_text

SECRETS = [
    "--token=sesame",
    "--token sesame --v=4",
    "--client-secret=sesame",
    "driver --api-key 'sesame'",
    "DB_PASSWORD=sesame",
    "CLOUD_CREDS=sesame",
    "AWS_SECRET_ACCESS_KEY=sesame ./driver",
    "password: sesame",
    '{"token": "sesame"}',
    "{'accessToken': 'sesame'}",
    "Authorization: Basic sesame",
    "authorization=Bearer sesame",
    "Bearer sesame.sesame",
    "client-key-data: sesame",
    "https://user:sesame@example.com/",
    "-----BEGIN EC PRIVATE KEY-----\nsesame\n-----END EC PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\nsesame",
    "token eyJhbGciOiJSUzI1NiJ9.sesame.c2ln",
    "redis://:sesame@cache.example.com:6379",
    "https://sesame-sesame-sesame@example.com/repository",
    "DB_PASS=sesame",
    "db-pwd: sesame",
    "passcode: sesame",
    "SIGNING_KEY=sesame",
    '{"encryptionKey": "sesame"}',
    '"password": ["sesame", "sesame"]',
    'password="open sesame, it\'s said"',
    "password: 'open sesame'",
    '--token "open sesame"',
    "--password='open sesame'",
    "PASSWORD=sesame,sesame,v=1",
    "Authorization: Negotiate sesame",
    "Set-Cookie: sid=sesame; Path=/",
    'msg="it has {\\"apiKey\\":\\"open sesame\\",\\"x\\":1}"',
    '{\\\\\\"password\\\\\\": \\\\\\"sesame\\\\\\"}',
    f"cloned with ghp_{'sesame' * 6}",
    f"cloned with glpat-{'sesame' * 4}",
]

HARMLESS = [
    'pods "user" is forbidden: unexpected token in body',
    "automountServiceAccountToken: true",
    "secretName: registry",
    "volumes:\n- secret:\n    secretName: registry",
    "uuid=GPU-18db0e85-99e9-c746-8531-ffeb86328b39 index=0",
    'MountVolume.SetUp failed for volume "kube-api-access"',
    "the key of the entry is the claim's UID",
    "--kubeconfig=/tmp/k --v=6",
    "https://127.0.0.1:6443/apis/resource.k8s.io/v1",
    "ssh://git@example.com/repository",
    "100 pass: 12 not applicable; bypass=1, compass: north",
    "PWD=/tmp OLDPWD=/",
    "level=3,token=true,mode=x",
    "imagePullSecrets: [{name: registry}]",
    '"serviceAccountToken":{"audience":"x","path":"token"}',
]

OBJECTS: list[Any] = [
    {"kind": "Secret", "data": {"a": "sesame"}, "stringData": {"b": "sesame"}},
    {"items": [{"kind": "Secret", "data": {"a": "sesame"}}]},
    {"users": [{"user": {"token": "sesame", "client-key-data": "sesame"}}]},
    {"env": [{"name": "DB_PASSWORD", "value": "sesame"}]},
    {"env": {"GITHUB_TOKEN": "sesame"}},
    {"args": ["driver", "--token", "sesame", "--v=1"]},
    {"command": ["sh", "-c", "driver --password=sesame"]},
    {"tokens": ["sesame"]},
    {"kind": "SecretList", "items": [{"data": {"a": "sesame"}}]},
    {"password": {"current": "sesame", "former": ["sesame"]}},
    {"credentials": {"user": "sesame", "key": "sesame"}},
    {"apiToken": {"value": "sesame"}},
    {"pass": "sesame", "dbPass": "sesame"},
    {"annotations": {"a": json.dumps({"b": json.dumps({"password": "sesame"})})}},
    {"headers": {"authorization": "Basic sesame"}},
    {"metadata": {"annotations": {"last-applied": '{"kind":"Config","token":"sesame"}'}}},
]


@pytest.mark.parametrize("text", SECRETS)
def test_texts(text: str) -> None:
    assert "sesame" not in redact_text(text)
    assert MASK in redact_text(text)


@pytest.mark.parametrize("text", HARMLESS)
def test_harmless_texts_stay(text: str) -> None:
    assert redact_text(text) == text


@pytest.mark.parametrize("value", OBJECTS)
def test_objects(value: Any) -> None:
    assert "sesame" not in json.dumps(redact(value))


def test_the_rest_of_an_object_stays() -> None:
    slice_ = {
        "kind": "ResourceSlice",
        "spec": {"driver": "gpu.example.com", "devices": [{"name": "gpu-0", "attributes": {"index": {"int": 0}}}]},
    }
    assert redact(slice_) == slice_
    assert redact({"args": ["--token", "x", "--v=1", "gpu"]}) == {"args": ["--token", MASK, "--v=1", "gpu"]}
    assert redact({"counts": {"PASS": 100}, "pass": 100}) == {"counts": {"PASS": 100}, "pass": 100}
    assert redact({"secret": {"secretName": "registry"}}) == {"secret": {"secretName": "registry"}}


def test_it_is_done_only_once() -> None:
    once = redact_text("--token=sesame")
    assert redact_text(once) == once == f"--token={MASK}"


def test_what_a_driver_was_given_is_hidden_wherever_it_says_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conformance.redact._hidden", ())
    hide(["./driver", "--api-key=open-sesame-1", "--token", "open-sesame-2", "--v=4"], {"DB_PASSWORD": "open-sesame-3"})
    assert redact({"error": "open-sesame-1 and open-sesame-3, not --v=4"}) == {"error": f"{MASK} and {MASK}, not --v=4"}
    assert redact_text("said open-sesame-2") == f"said {MASK}"


def test_what_pods_and_claims_hold_is_hidden_wherever_a_driver_says_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conformance.redact._hidden", ())
    redact({"containers": [{"env": [{"name": "DB_PASSWORD", "value": "open-sesame-1"}]}]})
    redact({"config": [{"opaque": {"driver": "x", "parameters": {"share": {"token": "open-sesame-2", "size": 4096}}}}]})
    assert redact_text("said open-sesame-1 and open-sesame-2") == f"said {MASK} and {MASK}"


def test_what_follows_a_secret_stays() -> None:
    assert redact_text('token="sesame",level=3 {"password":"a b","size":4}') == (
        f'token="{MASK}",level=3 {{"password":"{MASK}","size":4}}'
    )
    assert redact({"serviceAccountToken": {"audience": "x", "path": "token"}}) == {
        "serviceAccountToken": {"audience": "x", "path": "token"}
    }


def test_short_values_may_be_words_and_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conformance.redact._hidden", ())
    hide(["./driver"], {"USE_TOKEN": "true"})
    assert redact_text("it is true") == "it is true"
