"""SIGTERM in the middle of work."""

import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import grpc

from . import waiting_driver
from .conftest import Start
from .fake_api import FakeApi, Object
from .process import DriverProcess, eventually


def test_what_is_under_way_is_finished(start: Start, api: FakeApi, root: Path) -> None:
    """The call is answered, sockets go, state and slices stay, status 0; the next instance knows the claim."""
    claims = [api.claim(f"c{number}", (f"gpu-{number}",)) for number in range(3)]
    driver = start(program=(str(Path(waiting_driver.__file__)),))
    api.wait_slices(1)
    with ThreadPoolExecutor() as threads:
        answer = threads.submit(driver.prepare, *claims)
        eventually((root / "midway").exists)
        driver.process.send_signal(signal.SIGTERM)
        eventually(lambda: not driver.registration.exists())
        (root / "go").touch()
        first = answer.result()
    assert [entry.error for entry in first.values()] == [""] * 3
    assert driver.terminate() == 0
    assert not driver.endpoint.exists()
    assert len(list((root / "plugins/gpu.example.com/claims").glob("*.json"))) == 3
    assert len(api.slices()) == 1
    driver = start()
    assert driver.prepare(*claims) == first


def test_under_load(start: Start, api: FakeApi, root: Path) -> None:
    """It ends at once and in order; whatever was cut short, the next instance prepares and takes back."""
    claims = [api.claim(f"c{number}", (f"gpu-{number}",)) for number in range(4)]
    driver = start()
    with ThreadPoolExecutor() as threads:
        loads = [threads.submit(_load, driver, claim) for claim in claims]
        eventually(lambda: driver.log.read_text().count("NodeUnprepareResources") > 20)
        driver.process.send_signal(signal.SIGTERM)
        assert driver.process.wait(10) == 0
        assert all(load.result() > 0 for load in loads)
    assert not driver.registration.exists()
    assert not driver.endpoint.exists()
    state = root / "plugins/gpu.example.com/claims"
    assert not list(state.glob(".*"))
    driver = start()
    answers = driver.prepare(*claims)
    assert [entry.error for entry in answers.values()] == [""] * 4
    driver.unprepare(*claims)
    assert not list(state.iterdir())
    assert not list((root / "cdi").iterdir())


def _load(driver: DriverProcess, claim: Object) -> int:
    """Prepare and unprepare until the driver has ended; how often that went well."""
    pairs = 0
    while driver.process.poll() is None:
        with suppress(grpc.RpcError):
            driver.prepare(claim, timeout=1)
            driver.unprepare(claim, timeout=1)
            pairs += 1
    return pairs
