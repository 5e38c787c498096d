"""What Prometheus is told."""

import re
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families

import reference_driver

from .conftest import Start
from .fake_api import FakeApi
from .process import DriverProcess, eventually

OPERATION = Path(reference_driver.__file__).parents[1] / "docs" / "operation.md"
HTTP = "--http-address=:0"


def samples(driver: DriverProcess) -> dict[str, float]:
    """Every sample, by its name and the values of its labels in the order of their names."""
    status, text = driver.http("/metrics")
    assert status == 200
    rows = [row for family in text_string_to_metric_families(text) for row in family.samples]
    return {" ".join([row.name, *(row.labels[label] for label in sorted(row.labels))]): row.value for row in rows}


def test_claims_slices_and_requests_are_counted(start: Start, api: FakeApi) -> None:
    driver = start(HTTP)
    api.wait_slices(1)
    good, bad = api.claim("good", ("gpu-0",)), api.claim("bad", ("gpu-99",))
    driver.prepare(good, bad)
    driver.prepare(good)
    found = samples(driver)
    assert found["dra_claim_operations_total prepare success"] == 2
    assert found["dra_claim_operations_total prepare error"] == 1
    assert found["dra_claim_operations_total unprepare success"] == 0
    assert found["dra_call_duration_seconds_count prepare"] == 2
    assert found["dra_claims_prepared"] == 1
    assert found["dra_resourceslices"] == 1
    assert found["dra_resourceslice_writes_total create"] == 1
    assert found["dra_api_requests_total 200 GET"] >= 5
    assert found["dra_devices healthy"] == 8
    assert found["dra_driver_info gpu.example.com node-a"] == 1
    driver.unprepare(good)
    found = samples(driver)
    assert found["dra_claim_operations_total unprepare success"] == 1
    assert found["dra_claims_prepared"] == 0


def test_trouble_is_seen(start: Start, api: FakeApi) -> None:
    api.refusals = {"POST": 403}
    driver = start(HTTP)
    eventually(lambda: samples(driver).get("dra_api_requests_total 403 POST", 0) > 1)
    found = samples(driver)
    assert found["dra_resourceslices_in_sync"] == 0
    assert found["dra_registered"] == 0
    driver.notify(True)
    assert samples(driver)["dra_registered"] == 1


def test_names_are_as_prometheus_wants_them(start: Start) -> None:
    _, text = start(HTTP).http("/metrics")
    families = list(text_string_to_metric_families(text))
    own = [family for family in families if family.name.startswith("dra_")]
    documented = re.findall(r"^\| `(dra_\w+?)(?:_total)?` \|", OPERATION.read_text(), re.MULTILINE)
    assert sorted(family.name for family in own) == sorted(documented)
    for family in own:
        assert re.fullmatch(r"[a-z_]+", family.name)
        assert family.documentation.endswith(".")
        assert (family.type == "counter") == any(row.name.endswith("_total") for row in family.samples)
    assert "process_resident_memory_bytes" in {family.name for family in families}


def test_nothing_listens_unless_it_is_asked_for(start: Start) -> None:
    driver = start()
    assert "metrics and probes" not in driver.log.read_text()
