"""The embedded API server answers as Kubernetes' does: at least 400 requests of every family, compared."""

import sys

import pytest

from tests.fidelity.registry import FAMILIES
from tests.fidelity.score import ask
from tests.fidelity.sides import ApiServers

SEED = 1
REQUESTS = 420


def test_both_api_servers_answer_the_same(api_servers: ApiServers, capsys: pytest.CaptureFixture[str]) -> None:
    score = ask(api_servers, SEED, REQUESTS)
    with capsys.disabled():
        sys.stderr.write(f"\n{score}\n")
    assert set(score.families) == set(FAMILIES)
    assert not score.findings, "\n".join(map(str, score.findings[:10]))
