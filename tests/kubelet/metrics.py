"""Values of a kubelet's metrics, read over HTTP."""

import urllib3

from .world import World


def metric(world: World, sample: str) -> float | None:
    """The value of a sample, such as `name{label="value"}`; None where it is not there."""
    lines = urllib3.request("GET", world.kubelet.metrics_url).data.decode().splitlines()
    return next((float(line.rpartition(" ")[2]) for line in lines if line.rpartition(" ")[0] == sample), None)
