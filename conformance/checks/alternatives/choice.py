"""Claims with two alternatives, of which no device satisfies the first."""

import copy
from typing import Any

from conformance.cluster import Cluster
from conformance.verdict import NotApplicable

Object = dict[str, Any]

REQUEST, NONE, CHOSEN = "device", "none", "chosen"
_IMPOSSIBLE = {"cel": {"expression": 'device.driver == "no.such.driver.example.com"'}}


def alternatives(cluster: Cluster, *configs: Object) -> Object:
    """The spec of such a claim with opaque configs of the driver added, each {requests, parameters}.

    The alternative that is chosen is what a valid claim asks for. Raises NotApplicable where that has several requests.
    """
    spec = copy.deepcopy(cluster.target.claim_spec())
    requests = spec["devices"]["requests"]
    exactly = requests[0].get("exactly") if len(requests) == 1 else None
    if not exactly:
        raise NotApplicable("a valid claim of this driver is not for one request without alternatives")
    none = {**exactly, "name": NONE, "selectors": [_IMPOSSIBLE]}
    spec["devices"]["requests"] = [{"name": REQUEST, "firstAvailable": [none, {**exactly, "name": CHOSEN}]}]
    kept = [entry for entry in spec["devices"].get("config", ()) if not entry.get("requests")]
    spec["devices"]["config"] = [*kept, *(_config(cluster, **config) for config in configs)]
    return spec


def _config(cluster: Cluster, requests: list[str], parameters: Object) -> Object:
    return {"requests": requests, "opaque": {"driver": cluster.target.driver_name, "parameters": parameters}}
