"""Claims with two alternatives, of which no device satisfies the first."""

from typing import Any

from conformance.checks.offered import demanded_configs
from conformance.cluster import Cluster
from conformance.verdict import NotApplicable

Object = dict[str, Any]

REQUEST, NONE, CHOSEN = "device", "none", "chosen"
BESIDE = "beside"
"""A request without alternatives in the same claim: configurations of a claim with one request need not name it."""
_IMPOSSIBLE = {"cel": {"expression": 'device.driver == "no.such.driver.example.com"'}}


def alternatives(cluster: Cluster) -> Object:
    """The spec of such a claim; the alternative that is chosen is what a valid claim asks for.

    Raises NotApplicable where that has several requests.
    """
    spec = cluster.target.claim_spec()
    none = {**_exactly(spec), "name": NONE, "selectors": [_IMPOSSIBLE]}
    chosen = {**_exactly(spec), "name": CHOSEN}
    requests = [{"name": REQUEST, "firstAvailable": [none, chosen]}]
    return {"devices": {"requests": requests, "config": demanded_configs(cluster.target)}}


def configured(cluster: Cluster, parameters: Object, *requests: str) -> Object:
    """Such a claim with a second request beside, and with opaque parameters for some of the requests, or without."""
    exactly = _exactly(cluster.target.claim_spec())
    spec = alternatives(cluster)
    spec["devices"]["requests"].append({"name": BESIDE, "exactly": exactly})
    opaque = {"driver": cluster.target.driver_name, "parameters": parameters}
    if requests:
        spec["devices"]["config"].append({"requests": list(requests), "opaque": opaque})
    return spec


def _exactly(spec: Object) -> Object:
    requests = spec["devices"]["requests"]
    found: Object | None = requests[0].get("exactly") if len(requests) == 1 else None
    if not found or found.get("allocationMode") == "All":
        raise NotApplicable("a valid claim of this driver is not for one request without alternatives")
    return found
