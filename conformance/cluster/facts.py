"""What a report says about a cluster beyond its versions: images that ran, feature gates that are on."""

import re
from collections.abc import Collection

from conformance.cluster.api import Api, ApiError

_GATE = re.compile(r'^kubernetes_feature_enabled\{name="(D(?:RA|ynamicResource)\w*)",[^}]*\} 1$', re.MULTILINE)


def images(api: Api, node: str, pods: Collection[str]) -> dict[str, str]:
    """Images of the containers of these pods (by uid) on a node, each with the digest that the node gives for it.

    Empty where pods may not be read.
    """
    try:
        found = api.list("pods", field_selector=f"spec.nodeName={node}")["items"]
    except ApiError:
        return {}
    statuses = [
        status
        for pod in found
        if pod["metadata"]["uid"] in pods
        for status in pod.get("status", {}).get("containerStatuses", ())
    ]
    return {status["image"]: status.get("imageID", "") for status in statuses}


def feature_gates(api: Api) -> list[str]:
    """Gates of DRA that are on in the API server, by its metrics; empty where those may not be read."""
    try:
        return sorted(_GATE.findall(api.request("GET", "/metrics").get("message", "")))
    except ApiError:
        return []
