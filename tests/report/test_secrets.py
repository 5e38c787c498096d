"""Secrets that a driver, its environment, its kubeconfig and claims hold are in nothing that a run gives out."""

import json
import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
import yaml

from conformance import cli
from conformance.report import load
from conformance.report.formats import FORMATS
from tests.variants import ROOT, write_driver_file

# Begins as the driver and says all that it knows, to the log and in its command line.
TALKATIVE = """
import os, pathlib, re, sys

secret = sys.argv[sys.argv.index("--api-key") + 1]
kubeconfig = next(part.partition("=")[2] for part in sys.argv if part.startswith("--kubeconfig="))
said = pathlib.Path(kubeconfig).read_text()
pathlib.Path(os.environ["SEEN"]).write_text(said)
print(said, "I was given", secret, os.environ["DB_PASSWORD"], flush=True)
print("my token for the API is", re.findall(r"token: (\\S+)", said)[0], flush=True)
print('{"msg":"{\\\\"token\\\\":\\\\"sesame escaped\\\\"}"} redis://:sesame-cache@example.com', flush=True)
print("password=sesame-logged token: sesame-logged Authorization: Bearer sesame-logged-2", file=sys.stderr, flush=True)
rest = [part for part in sys.argv[1:] if part not in ("--api-key", secret)]
os.execv(sys.executable, [sys.executable, "-m", "reference_driver.gpu", *rest])
"""

CHECK = '''
import logging
import sys

from conformance.check import check

CLAIM = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceClaim",
    "metadata": {"name": "told", "annotations": {"config": '{"token": "sesame-annotated"}'}},
    "spec": {"devices": {
        "requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu.example.com"}}],
        "config": [{"opaque": {"driver": "gpu.example.com", "parameters": {"password": "sesame-claimed"}}}],
    }},
}
ENV = [{"name": "DB_PASSWORD", "value": "sesame-of-the-pod"}]
POD = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "user"},
    "spec": {
        "containers": [{"name": "main", "image": "x", "env": ENV, "resources": {"claims": [{"name": "gpu"}]}}],
        "resourceClaims": [{"name": "gpu", "resourceClaimName": "told"}],
    },
}


@check(id="acme.tells", covers=("PREP-05",), profile="vendor:acme")
def test_tells(cluster, node, expect):
    """It makes objects with secrets in them, and finds something that holds one."""
    print("password=sesame-printed")
    print("token: sesame-printed-2", file=sys.stderr)
    logging.getLogger("acme").warning("Authorization: Basic sesame-warned")
    claim = cluster.create(CLAIM)
    cluster.create(POD)
    cluster.history.wait("rpc", lambda e: e["phase"] == "end" and e["method"] == "NodePrepareResources", timeout=20)
    said = {"said": "token=sesame-seen", "secret": "sesame-seen-2"}
    expect("PREP-05").equal(said, "password: sesame-wanted", "it holds")


@check(id="acme.fails", covers=("PREP-05",), profile="vendor:acme")
def test_fails(cluster):
    """It ends with an error that holds a secret."""
    raise RuntimeError("cannot reach https://user:sesame-raised@example.com with --token=sesame-raised-2")
'''


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """The folder of a run that was told many secrets, and what it printed."""
    folder = tmp_path_factory.mktemp("told")
    (folder / "talkative.py").write_text(TALKATIVE)
    (folder / "test_acme.py").write_text(CHECK)
    driver = yaml.safe_load(write_driver_file(folder, "reference_driver.gpu", {}).read_text())
    rest = driver["process"]["command"][3:]
    driver["process"]["command"] = ["{python}", str(folder / "talkative.py"), "--api-key", "sesame-of-the-flag", *rest]
    driver["process"]["env"] |= {"DB_PASSWORD": "sesame-of-the-driver", "SEEN": str(folder / "seen")}
    (folder / "driver.yaml").write_text(yaml.safe_dump(driver))
    arguments = ["--driver=driver.yaml", "--report-dir=report", "--alluredir=report/allure", "test_acme.py"]
    plugin = ["-p", "conformance.plugin", "-p", "no:cacheprovider"]
    github = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(folder / "report" / "summary.md")}
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **github}
    command = [sys.executable, "-m", "pytest", *plugin, *arguments]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert "acme.tells" in done.stdout, done.stdout + done.stderr
    return folder, done


def test_no_file_of_the_report_and_nothing_printed_holds_a_secret(
    told: tuple[Path, subprocess.CompletedProcess[str]],
) -> None:
    folder, done = told
    outputs = {
        str(path.relative_to(folder)): path.read_bytes().decode()
        for path in (folder / "report").rglob("*")
        if path.is_file()
    }
    outputs |= {name: make(load(folder / "report")) for name, make in FORMATS.items()}
    secrets = ["sesame", *_credentials(folder / "seen")]
    printed = {"stdout": done.stdout, "stderr": done.stderr}
    found = {(name, s) for name, text in {**outputs, **printed}.items() for s in secrets if s in text}
    assert found == set()
    assert {"report/index.html", "report/report.json", "report/junit.xml", "report/history.jsonl"} <= set(outputs)
    assert "[redacted]" in outputs["report/summary.md"]
    assert all("[redacted]" in outputs[name] for name in FORMATS)


def test_what_is_made_of_the_report_later_holds_no_secret_and_can_be_relied_on(
    told: tuple[Path, subprocess.CompletedProcess[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, _ = told
    report = str(folder / "report")
    assert cli.main(["verify", report]) != 8
    assert cli.main(["bundle", report, "-o", str(tmp_path / "evidence.tar.gz")]) == 0
    cli.main(["report", "matrix", report, report, "-o", str(tmp_path / "matrix.html")])
    cli.main(["badge", report, "-o", str(tmp_path / "badge.svg")])
    cli.main(["compare", "--markdown", report, report])
    cli.main(["analyze", report])
    with tarfile.open(tmp_path / "evidence.tar.gz") as archive:
        archive.extractall(tmp_path / "evidence", filter="data")
    made = {path.name: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    made["printed"] = "".join(capsys.readouterr()).encode()
    secrets = [text.encode() for text in ("sesame", *_credentials(folder / "seen"))]
    assert {(name, secret) for name, text in made.items() for secret in secrets if secret in text} == set()
    assert {"run.log", "matrix.html", "badge.svg", "PRODUCT.yaml"} <= set(made)


def test_what_held_the_secrets_is_there(told: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    """Else nothing would be proved: claim, log and finding are in the report, with masks in them."""
    folder, _ = told
    history = (folder / "report" / "history.jsonl").read_text()
    assert '"password":"[redacted]"' in history
    assert "I was given [redacted] [redacted]" in "".join(p.read_text() for p in (folder / "report").rglob("*.log"))
    report = json.loads((folder / "report" / "report.json").read_text())
    assert report["checks"][0]["findings"][0]["got"] == {"said": "token=[redacted]", "secret": "[redacted]"}
    page = (folder / "report" / "index.html").read_text()
    assert "I was given [redacted]" in page
    assert "password: &#39;[redacted]&#39;" in page


def _credentials(kubeconfig: Path) -> list[str]:
    """The long words under the kubeconfig's secret names."""
    text = kubeconfig.read_text()
    return re.findall(r"(?:token|password|client-key-data)\W+([\w.+/=-]{8,})", text)
