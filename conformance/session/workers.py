"""How many processes a run has where nobody says so: pytest-xdist is asked for workers, as with `-n`."""

import os

import pytest

from conformance.check import Tier
from conformance.session import named
from conformance.session.options import CLUSTERS
from conformance.session.state import is_worker

_USUAL = 2
_BESIDE_ITSELF = "rolling-update"


def choose(config: pytest.Config, driver: str) -> None:
    """Have a long run go through two clusters at once where these cost little and the driver can be in both.

    `-n0` is one process, as ever. A few checks are faster without, and `-s` and debuggers need one process.
    """
    option = config.option
    asked = getattr(option, "numprocesses", 0) is not None or option.dist != "no" or option.tx
    single = is_worker(config) or option.usepdb or option.capture == "no" or option.collectonly
    part = option.conformance_check or option.keyword or option.markexpr or any("::" in name for name in config.args)
    cluster = option.conformance_cluster or named.cluster(option) or CLUSTERS[0]
    lasting = cluster == CLUSTERS[0] and option.conformance_tier != Tier.OBSERVE
    if lasting and not (asked or single or part) and len(os.sched_getaffinity(0)) >= _USUAL and _twice(driver):
        option.numprocesses = _USUAL


def _twice(driver: str) -> bool:
    """Whether two of the driver can be on one machine and disturb each other neither by ports nor at real devices.

    One that can be updated while it runs lives beside itself anyhow; what is wrong with its file is told later.
    """
    from conformance.target import Target, TargetError

    try:
        target = Target.load(driver)
    except TargetError:
        return False
    ours = all(_BESIDE_ITSELF in section.features for section in target.file.drivers)
    return ours and bool(target.file.mocks) and target.file.image is None
