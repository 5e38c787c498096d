"""How many processes a run has where nobody says so: pytest-xdist is asked for workers, as with `-n`."""

import os

import pytest

from conformance.check import Tier
from conformance.session.options import CLUSTERS
from conformance.session.state import is_worker

_USUAL = 2


def choose(config: pytest.Config) -> None:
    """Have a long run on clusters that cost little go through two at once; `-n0` is one process, as ever.

    A few checks are faster without, and `-s` and debuggers need one process.
    """
    option = config.option
    asked = getattr(option, "numprocesses", 0) is not None or option.dist != "no" or option.tx
    single = is_worker(config) or option.usepdb or option.capture == "no" or option.collectonly
    part = option.conformance_check or option.keyword or option.markexpr or any("::" in name for name in config.args)
    lasting = option.conformance_cluster == CLUSTERS[0] and option.conformance_tier != Tier.OBSERVE
    if lasting and not (asked or single or part) and len(os.sched_getaffinity(0)) >= _USUAL:
        option.numprocesses = _USUAL
