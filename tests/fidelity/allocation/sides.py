"""What is done to one cluster of the two."""

import time
from collections.abc import Iterable

from conformance.cluster.api import RESOURCES, Api, ApiError
from conformance.cluster.wait import wait_for
from tests.fidelity.allocation.problem import LABEL, Action

FIRST = ("namespaces", "nodes")
"""Made before everything else."""


def act(api: Api, action: Action) -> str:
    """Do it; why it was refused, "" when it was not. Pods go at once, as no kubelet is there to end them."""
    verb, resource, name, namespace, body, status = action
    try:
        if verb == "create":
            api.create(resource, body, namespace)
        elif verb == "patch":
            api.patch(resource, name, body, namespace, subresource="status" if status else "")
        else:
            api.delete(resource, name, namespace, grace_period_seconds=0)
    except ApiError as error:
        return f"{verb} {resource} {name}: {error}"
    return ""


def version(api: Api) -> str:
    """The version of all that is stored: any change makes it another one."""
    return str(api.list("devicetaintrules")["metadata"]["resourceVersion"])


def calm(api: Api, seconds: float) -> str:
    """Wait until nothing has changed for a while; the version that is then. Raises WaitTimeout when it never is so."""
    last, since = "", time.monotonic()

    def unchanged() -> str:
        nonlocal last, since
        now = version(api)
        if now != last:
            last, since = now, time.monotonic()
        return now if time.monotonic() - since >= seconds else ""

    return wait_for(unchanged, "a cluster in which nothing changes", timeout=120)


def clean(api: Api, namespaces: Iterable[str]) -> None:
    """Delete what others would meet; namespaces and claims without devices stay, as it takes long to empty them."""
    # Without nodes nobody tries again to place the pods that wait, whatever else goes.
    _delete_all(api, "nodes")
    for name in namespaces:
        api.request("DELETE", RESOURCES["pods"].path(name), query={"gracePeriodSeconds": "0"})
    for resource in ("resourceslices", "deviceclasses", "devicetaintrules"):
        _delete_all(api, resource)


def _delete_all(api: Api, resource: str) -> None:
    query = {"labelSelector": "".join(f"{key}={value}" for key, value in LABEL.items())}
    api.request("DELETE", RESOURCES[resource].path(None), query=query)
