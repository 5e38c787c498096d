"""Claims with each request of a valid one twice."""

from typing import Any

from conformance.verdict import NotApplicable


def twice(claim: dict[str, Any]) -> dict[str, Any]:
    """The claim with each request once more, under another name, configured like the first.

    Raises NotApplicable for one that takes all devices.
    """
    devices = claim["devices"]
    if any((request.get("exactly") or {}).get("allocationMode") == "All" for request in devices["requests"]):
        raise NotApplicable("a valid claim of this driver takes all devices")
    more = [{**request, "name": again(request["name"])} for request in devices["requests"]]
    configs = [
        {**entry, "requests": [*entry["requests"], *map(again, entry["requests"])]} if entry.get("requests") else entry
        for entry in devices.get("config", ())
    ]
    return {**claim, "devices": {**devices, "requests": [*devices["requests"], *more], "config": configs}}


def again(name: str) -> str:
    """The other name of a request, or of a subrequest as request/subrequest."""
    request, slash, subrequest = name.partition("/")
    return f"{request[:55]}-again{slash}{subrequest}"
