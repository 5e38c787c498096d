"""What is found in Kubernetes' test driver is what was reviewed in its source."""

from pathlib import Path

from conformance.verdict import Verdict
from tests.findings.test_kubernetes_test_driver import REVIEWED
from tests.parity.conftest import Run

FOUND = (Verdict.FAIL, Verdict.WARN, Verdict.INCONCLUSIVE)


def test_findings_are_those_that_were_reviewed(go_driver_binary: Path, judged: Run) -> None:
    found = {
        id: (row["verdict"], [each["requirement"] for each in row["findings"] if not each["holds"]])
        for id, row in judged("kubernetes-test-driver", "embedded").items()
        if row["verdict"] in FOUND
    }
    reviewed = {id: (row["verdict"], row["requirements"]) for id, row in REVIEWED["findings"].items()}
    assert found == reviewed
