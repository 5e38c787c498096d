"""Checks of the suite on the driver that asks NVML: one of each kind that meets what is its own."""

from pathlib import Path

from conformance.verdict import Verdict
from tests.variants import run

FILE = Path(__file__).with_name("nvml.yaml")
CHECKS = ("publishing.attributes", "injection.container_sees", "taints.sick_device", "unpreparing.device_gone")


def test_it_keeps_its_obligations(libnvml: Path, tmp_path: Path) -> None:
    judged = run(FILE, tmp_path / "report", *(f"--check={check}" for check in CHECKS))
    assert {check: judged[check] for check in CHECKS} == dict.fromkeys(CHECKS, Verdict.PASS)
