"""Some mutants on a real cluster, with the container runtime and the kubelet that a real driver has to do with."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mutants.mutant import Mutant, all_mutants
from tests.mutants.on_kind import complaints_on_kind, sample

SEED = os.environ.get("DRA_SEED", "5")
KEPT = "dra-conformance-kept"

pytestmark = pytest.mark.skipif(
    os.environ.get("DRA_KIND") != "1", reason="runs with DRA_KIND=1, as `make test-kind` does"
)


@pytest.fixture(scope="module", autouse=True)
def _cluster() -> Iterator[None]:
    """One cluster for all of them, which ends with them unless somebody kept it before."""
    listed = ["docker", "ps", "--all", "--quiet", f"--filter=label=io.x-k8s.kind.cluster={KEPT}"]
    before = subprocess.run(listed, capture_output=True, text=True, check=True).stdout.split()
    yield
    if not before:
        nodes = subprocess.run(listed, capture_output=True, text=True, check=True).stdout.split()
        subprocess.run(["docker", "rm", "--force", "--volumes", *nodes], capture_output=True, check=True)


@pytest.mark.parametrize("mutant", sample(all_mutants(), SEED), ids=lambda mutant: mutant.name)
def test_caught_on_real_nodes(mutant: Mutant, tmp_path: Path) -> None:
    assert complaints_on_kind(mutant, tmp_path) == [], mutant.title
