"""Profile kep-5970 on somebody's cluster, with nothing but names given, as docs/kep-5970.md says it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from conformance import kep5970
from conformance.cluster.existing import ExistingSettings, Unusable, preflight
from conformance.cluster.existing.by_api import ApiBackend
from conformance.cluster.existing.heartbeat import Heartbeat
from conformance.cluster.existing.own import HOME, OwnApi, sweep
from conformance.cluster.existing.rights import NEEDED_BY_API
from conformance.cluster.kubeconfig import Access, write_kubeconfig
from conformance.history import History
from conformance.report import load
from conformance.report.model import Report
from conformance.target import TargetError, named_target
from conformance.verdict import Inconclusive, Verdict
from tests.existing.test_rights import account
from tests.howto.reading import script
from tests.kep5970.somebody import DRIVER, SECRET, Somebody
from tests.variants import ROOT

DOCUMENT = ROOT / "docs" / "kep-5970.md"


@pytest.fixture(scope="module")
def driver(cluster: Somebody) -> Iterator[Somebody]:
    """The cluster with the reference driver on it."""
    with cluster.driver("reference"):
        yield cluster


def standings(report: Report) -> dict[int, Verdict]:
    """The verdict of each behaviour, by number."""
    verdicts = {result.id: result.verdict for result in report.checks}
    return {behaviour.number: behaviour.standing(verdicts) for behaviour in kep5970.BEHAVIOURS}


def test_what_the_document_says_works_and_leaves_nothing(driver: Somebody, tmp_path: Path) -> None:
    """Done by somebody who has no other rights than those that are asked for."""
    before = driver.objects()
    rules = [{"apiGroups": [r.group], "resources": [r.resource], "verbs": list(r.verbs)} for r in NEEDED_BY_API]
    least = replace(driver.backend.administrator, token=account(driver.backend, "least", rules).token)
    write_kubeconfig(tmp_path / "kubeconfig", least, "least")
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": programs, "PYTHONPATH": str(ROOT)}
    command = ["bash", "-e", "-c", script(DOCUMENT)]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert "5  the pod runs, with what the driver injects: PASS" in said
    assert "Sound: 7 checks" in said
    assert driver.objects() == before
    report = load(tmp_path / "conformance-report")
    assert set(standings(report).values()) == {Verdict.PASS}
    assert (report.profiles, report.outcome.value) == (["kep-5970"], "selection")
    assert report.checks[0].reproduce.startswith(f"dra-conformance run --driver-name={DRIVER} --device-class={DRIVER} ")
    secrets = (SECRET, str(least.token))
    places = [*tmp_path.glob("conformance-report/**/*"), *tmp_path.glob("dra-conformance-*/**/*")]
    texts = {str(path): path.read_text(errors="replace") for path in places if path.is_file()}
    assert [name for name, text in texts.items() if any(secret in text for secret in secrets)] == []


def test_what_cannot_be_seen_is_no_pass(driver: Somebody, tmp_path: Path) -> None:
    """The kubelet does not give logs out: what a container sees is not known, and all else is."""
    with driver.without_logs():
        status, said, report = driver.checked(tmp_path / "report")
    assert report is not None, said
    assert standings(report) == {n: Verdict.INCONCLUSIVE if n == 5 else Verdict.PASS for n in range(1, 8)}, said
    assert status == 6
    assert "the log of container with of pod first cannot be read" in said


def looked_before(cluster: Somebody, name: str = DRIVER, device_class: str = DRIVER, **more: Any) -> str:
    """What is said before anything is done. Raises Unusable."""
    said: list[str] = []
    settings = ExistingSettings(more.get("kubeconfig", cluster.kubeconfig), by_api=True)
    preflight(settings, named_target(name, device_class), said.append)
    return "\n".join(said)


def test_before_anything_is_done_it_is_told(driver: Somebody) -> None:
    said = looked_before(driver)
    assert "get pods/log" in said
    assert "pods/exec" not in said
    assert "nothing looks at the node itself" in said


def test_a_class_that_is_not_there_is_named_with_those_that_are(driver: Somebody) -> None:
    with pytest.raises(
        Unusable, match=r"--device-class=gpu\.exmaple\.com: the cluster has no such DeviceClass; it has .*gpu\.ex"
    ):
        looked_before(driver, device_class="gpu.exmaple.com")


def test_a_class_for_other_devices_is_told(driver: Somebody) -> None:
    selectors = [{"cel": {"expression": "device.driver == 'nic.example.com'"}}]
    driver.api.create("deviceclasses", {"metadata": {"name": "nic.example.com"}, "spec": {"selectors": selectors}})
    try:
        with pytest.raises(Unusable, match=r"=nic\.example\.com selects none of the 8 devices that driver gpu"):
            looked_before(driver, device_class="nic.example.com")
    finally:
        driver.api.delete("deviceclasses", "nic.example.com")


def test_a_driver_that_is_not_there_is_told_with_those_that_are(driver: Somebody) -> None:
    said = looked_before(driver, name="gpu.exmaple.com")
    assert (
        "there is no ResourceSlice of driver gpu.exmaple.com on this cluster, there are ones of gpu.example.com" in said
    )


def test_one_without_rights_is_told(driver: Somebody) -> None:
    stranger = driver.backend.placeholders()["kubeconfig"]
    with pytest.raises(Unusable, match=r"the identity of the kubeconfig may not .*get pods/log"):
        looked_before(driver, kubeconfig=Path(stranger))


def test_nobody_there_is_told(driver: Somebody, tmp_path: Path) -> None:
    admin = driver.backend.administrator
    away = write_kubeconfig(tmp_path / "kubeconfig", Access("https://127.0.0.1:1", admin.ca_file, "x"), "away")
    assert "the API server https://127.0.0.1:1 cannot be reached" in looked_before(driver, kubeconfig=away)


def test_what_a_killed_run_left_is_removed_and_what_a_living_one_has_is_not(
    driver: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("conformance.cluster.existing.heartbeat.BEAT", 0.2)
    monkeypatch.setattr("conformance.cluster.existing.own.BEAT", 0.5)
    monkeypatch.setattr("conformance.cluster.existing.own._DEAD_WITHIN", 4.0)
    before, api = driver.objects(), OwnApi(driver.backend.administrator)
    home = api.own_name("dra-conformance")
    api.create("namespaces", {"metadata": {"name": home, "labels": {HOME: "true"}}})
    heartbeat = Heartbeat(api, home, "pause")
    heartbeat.start()
    assert sweep(driver.api, str) == []
    heartbeat.stop()
    assert sweep(driver.api, str) == [api.run]
    api.close()
    assert driver.objects() == before


@pytest.mark.parametrize(
    ("name", "device_class", "option"), [("GPU_1", "gpu", "--driver-name=GPU_1"), ("gpu", "a b", "--device-class=a b")]
)
def test_what_is_no_name_is_told(name: str, device_class: str, option: str) -> None:
    with pytest.raises(TargetError, match=f"{option} is no DNS name"):
        named_target(name, device_class)


def test_a_behaviour_without_a_verdict_is_not_run() -> None:
    verdicts = dict.fromkeys(kep5970.CHECKS[:3], Verdict.PASS)
    found = [behaviour.standing(verdicts) for behaviour in kep5970.BEHAVIOURS]
    assert found.count(Verdict.NOT_RUN) == 4


def test_a_backend_that_does_not_come_up_says_why(cluster: Somebody, tmp_path: Path) -> None:
    """No driver is there."""
    settings = ExistingSettings(cluster.kubeconfig, by_api=True)
    made = ApiBackend(tmp_path, History(), target=named_target("nic.example.com", "nic"), settings=settings)
    with pytest.raises(Inconclusive, match="there is no ResourceSlice of driver nic"):
        made.start()
