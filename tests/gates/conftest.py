"""What the tests of gates share."""

import sys

import pytest

from conformance.cluster.kind import KindSettings, get_node_image
from tests.gates import tools


@pytest.fixture(scope="session")
def nodes() -> str:
    """An image of nodes for kind: the published one where it can be had, else one that is made here."""
    tools.wanted()
    return get_node_image(KindSettings(), None, lambda line: sys.stderr.write(f"{line}\n")).reference
