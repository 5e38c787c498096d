"""What is said of prepared devices in a claim's status: not at once, and only of claims that stay."""

from collections.abc import Iterator

import pytest

from fakegpu import default_inventory
from reference_driver.gpu import GpuDriver
from reference_driver.plugin import Claim, ClaimReader, ClaimRef, DeviceReporter, KubeClient
from reference_driver.plugin.credentials import Credentials

from .fake_api import FakeApi
from .process import eventually

DRIVER = "gpu.example.com"


@pytest.fixture
def reporter(api: FakeApi) -> Iterator[DeviceReporter]:
    """Writes nothing before it is started: what it is told until then comes in time to be taken back."""
    made = DeviceReporter(KubeClient(Credentials(api.url)), GpuDriver(DRIVER, "node-a", default_inventory("node-a")))
    made.delay = 0
    yield made
    made.stop()


def claim(api: FakeApi, name: str, device: str) -> Claim:
    meta = api.claim(name, (device,))["metadata"]
    reader = ClaimReader(KubeClient(Credentials(api.url)), DRIVER)
    return reader.read(ClaimRef(meta["namespace"], meta["name"], meta["uid"]))


def test_nothing_is_said_of_a_claim_that_is_given_back_at_once(reporter: DeviceReporter, api: FakeApi) -> None:
    short, other = claim(api, "short", "gpu-0"), claim(api, "other", "gpu-1")
    for _ in range(2):
        reporter.report(short)
        reporter.forget(short.uid)
    reporter.report(other)
    reporter.start()
    eventually(lambda: bool(api.applied))
    assert [written["metadata"]["name"] for written in api.applied] == ["other"]


def test_a_claim_that_is_prepared_anew_is_spoken_of_once(reporter: DeviceReporter, api: FakeApi) -> None:
    again, last = claim(api, "again", "gpu-0"), claim(api, "last", "gpu-1")
    reporter.report(again)
    reporter.forget(again.uid)
    reporter.report(again)
    reporter.report(last)
    reporter.start()
    eventually(lambda: len(api.applied) > 1)
    assert [written["metadata"]["name"] for written in api.applied] == ["again", "last"]
