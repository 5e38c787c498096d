"""On kind a check has the same verdict with the tap and without, unless only the tap shows what it needs to see.

Of the reference driver this is asked in `make parity`.
"""

import os
from pathlib import Path

import pytest

from conformance.verdict import Verdict
from tests.parity.conftest import Judged, Run
from tests.parity.test_same_verdicts import DRIVERS, differing, said, verdicts

UNSEEN = "calls between the kubelet and the driver cannot be seen on this cluster"
NO_HOOK = "the driver file has no hook"
LEAST = 12  # checks that the comparison must be about


@pytest.mark.skipif(os.environ.get("DRA_KIND") != "1", reason="runs with DRA_KIND=1, as `make parity` does")
@pytest.mark.parametrize("driver", DRIVERS if os.environ.get("DRA_ALL") == "1" else DRIVERS[1:])
def test_changes_no_verdict(driver: str, go_driver_binary: Path, judged: Run) -> None:
    tapped, plain = judged(driver, "kind"), judged(driver, "kind", "--conformance-no-tap")
    seen = {id for id, row in plain.items() if (row["verdict"], row["message"]) != (Verdict.NOT_RUN, UNSEEN)}
    assert plain.keys() == tapped.keys()
    assert len(seen) >= LEAST
    offered = {id for id in seen if not str(plain[id]["message"]).startswith(NO_HOOK)}
    unjudged = offered & with_verdict(plain, Verdict.NOT_RUN, Verdict.INCONCLUSIVE)
    assert {id: said(plain[id]) for id in unjudged} == {}
    seen -= with_verdict(tapped, Verdict.BLOCKED)  # by what cannot be judged without the tap
    other = differing(verdicts(only(tapped, seen)), only(plain, seen))
    assert not other, "\n".join(other)


def with_verdict(judged: Judged, *wanted: Verdict) -> set[str]:
    return {id for id, verdict in verdicts(judged).items() if verdict in wanted}


def only(judged: Judged, ids: set[str]) -> Judged:
    return {id: row for id, row in judged.items() if id in ids}
