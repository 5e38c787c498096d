"""What is said of prepared devices in a claim's status: not at once, and only of claims that stay."""

from .conftest import Start
from .fake_api import FakeApi
from .process import eventually


def test_nothing_is_said_of_a_claim_that_is_given_back_at_once(start: Start, api: FakeApi) -> None:
    short, other = api.claim("short", ("gpu-0",)), api.claim("other", ("gpu-1",))
    driver = start()
    for _ in range(2):
        driver.prepare(short)
        driver.unprepare(short)
    driver.prepare(other)
    eventually(lambda: bool(api.applied))
    assert [written["metadata"]["name"] for written in api.applied] == ["other"]


def test_a_claim_that_is_prepared_anew_is_spoken_of_once(start: Start, api: FakeApi) -> None:
    claim, last = api.claim("again", ("gpu-0",)), api.claim("last", ("gpu-1",))
    driver = start()
    driver.prepare(claim)
    driver.unprepare(claim)
    driver.prepare(claim)
    driver.prepare(last)
    eventually(lambda: len(api.applied) > 1)
    assert [written["metadata"]["name"] for written in api.applied] == ["again", "last"]
