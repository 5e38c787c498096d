"""What a new instance finds and does, after every way to end."""

import json
import random
import threading
from pathlib import Path

import grpc
import pytest

from . import broken_driver
from .conftest import Start
from .fake_api import FakeApi, Object
from .process import DriverProcess, eventually


def uid(claim: Object) -> str:
    return str(claim["metadata"]["uid"])


def test_sigterm_ends_in_order(start: Start, root: Path, api: FakeApi) -> None:
    driver = start()
    api.wait_slices(1)
    assert driver.terminate() == 0
    assert not driver.registration.exists()
    assert not driver.endpoint.exists()
    assert len(api.slices()) == 1, "slices stay for the next instance"


def test_after_sigkill_the_same_answer_without_a_rewrite(start: Start, api: FakeApi, root: Path) -> None:
    claim, other, driver = api.claim("c", ("gpu-5", "gpu-0")), api.claim("other", ("gpu-0",)), start()
    first = driver.prepare(claim)
    before = api.wait_slices(1)
    driver.kill()
    assert driver.registration.exists(), "this test needs a stale socket"
    driver = start()
    assert driver.prepare(claim) == first
    assert "already prepared" in driver.prepare(other)[uid(other)].error
    assert driver.unprepare(claim)[uid(claim)].error == ""
    assert api.slices() == before


def test_killed_while_preparing(start: Start, api: FakeApi, root: Path) -> None:
    """Whatever instant it is, the next instance can prepare the claim and take it back."""
    dice = random.Random(4)
    claims = [api.claim(f"c{number}", (f"gpu-{number}",)) for number in range(4)]
    driver = start()
    for _ in range(3):
        call = threading.Thread(target=_prepare_cut_short, args=(driver, claims))
        call.start()
        call.join(dice.uniform(0, 0.02))
        driver.kill()
        call.join()
        driver = start()
        answers = driver.prepare(*claims)
        assert [answers[uid(claim)].error for claim in claims] == [""] * 4
        driver.unprepare(*claims)
        assert not list((root / "cdi").iterdir())
        assert not list((root / "plugins/gpu.example.com/claims").iterdir())


def _prepare_cut_short(driver: DriverProcess, claims: list[Object]) -> None:
    with pytest.raises(grpc.RpcError):
        while True:
            driver.prepare(*claims)
            driver.unprepare(*claims)


def test_reboot_brings_the_specs_back(start: Start, api: FakeApi, root: Path) -> None:
    claim, driver = api.claim("c", ("gpu-0",)), start()
    driver.prepare(claim)
    (spec,) = (root / "cdi").iterdir()
    driver.kill()
    spec.unlink()
    (root / "boot_id").write_text("another boot")
    start()
    assert spec.exists()
    (record,) = (root / "plugins/gpu.example.com/claims").iterdir()
    assert json.loads(record.read_text())["record"]["bootID"] == "another boot"


def test_a_corrupt_checkpoint_is_set_aside(start: Start, api: FakeApi, root: Path) -> None:
    claim, driver = api.claim("c", ("gpu-0",)), start()
    first = driver.prepare(claim)
    (record,) = (root / "plugins/gpu.example.com/claims").iterdir()
    driver.kill()
    record.write_bytes(record.read_bytes()[:-20])
    driver = start()
    assert record.with_suffix(".corrupt").exists()
    assert "corrupt checkpoint set aside" in driver.log.read_text()
    assert driver.prepare(claim) == first


def test_claims_that_are_gone_are_reclaimed(start: Start, api: FakeApi, root: Path) -> None:
    kept, gone, driver = api.claim("kept", ("gpu-0",)), api.claim("gone", ("gpu-1",)), start()
    driver.prepare(kept, gone)
    driver.kill()
    api.remove("resourceclaims", "gone")
    (root / "cdi" / "other.json").write_text("{}")
    start()
    eventually(lambda: len(list((root / "cdi").glob("*_claim-*"))) == 1)
    assert list((root / "cdi").glob(f"*{uid(kept)}.json"))
    assert (root / "cdi" / "other.json").exists(), "somebody else's"


def test_two_instances_share_the_state(start: Start, api: FakeApi, root: Path) -> None:
    """A rolling update: both instances answer, and neither gives away what the other has prepared."""
    one, other = api.claim("one", ("gpu-0",)), api.claim("other", ("gpu-0",))
    old, new = start(pod_uid="old"), start(pod_uid="new")
    first = old.prepare(one)
    assert new.prepare(one) == first
    assert "already prepared" in new.prepare(other)[uid(other)].error
    assert new.unprepare(one)[uid(one)].error == ""
    assert old.prepare(other)[uid(other)].error == ""
    assert old.terminate() == 0
    assert new.registration.exists()
    assert new.prepare(other)[uid(other)].error == ""
    assert len(api.slices()) == 1


def test_a_folder_that_cannot_be_written(start: Start, api: FakeApi, root: Path) -> None:
    """A failed Prepare leaves nothing, and works once the cause is gone."""
    claim, driver = api.claim("c", ("gpu-0",)), start()
    (root / "cdi").touch()  # a file where the folder should be
    assert "cdi" in driver.prepare(claim)[uid(claim)].error
    assert not list((root / "plugins/gpu.example.com/claims").iterdir())
    (root / "cdi").unlink()
    assert driver.prepare(claim)[uid(claim)].error == ""


@pytest.mark.parametrize("statuses", [(500,), (0, 0)])  # a dropped connection is tried once more
def test_an_api_server_that_fails(start: Start, api: FakeApi, statuses: tuple[int, ...]) -> None:
    claim, driver = api.claim("c", ("gpu-0",)), start()
    api.wait_slices(1)
    api.failures.extend(statuses)
    assert "cannot be read" in driver.prepare(claim)[uid(claim)].error
    assert driver.prepare(claim)[uid(claim)].error == ""


def test_a_failure_in_the_background_ends_the_process(root: Path, api: FakeApi) -> None:
    program = str(Path(broken_driver.__file__))
    driver = DriverProcess(root, api.kubeconfig(root / "kubeconfig"), program=(program,))
    assert driver.process.wait(10) == 1
    assert "the slice controller failed" in driver.log.read_text()
    assert not driver.registration.exists()
