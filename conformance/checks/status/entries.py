"""What a driver has written into a claim's status.devices."""

import ipaddress
import json
from typing import Any

from conformance.cluster import Claim
from conformance.history import Event

Object = dict[str, Any]

_RIGHTS = 'requires resource="resourceclaims/'  # how the API server says which right is missing
MOST_CONDITIONS = 8
MOST_DATA = 10 * 1024  # bytes


def entries_of(claim: Claim) -> list[Object]:
    """The entries of a claim's status.devices."""
    found: list[Object] = (claim.get().get("status") or {}).get("devices") or []
    return found


def faults_of(entry: Object, allocated: set[tuple[str, str, str]]) -> list[str]:
    """What is wrong with an entry, in words."""
    who = (entry["driver"], entry["pool"], entry["device"])
    data = len(json.dumps(entry.get("data") or {}, separators=(",", ":")).encode())
    addresses = [text for text in (entry.get("networkData") or {}).get("ips") or () if not is_cidr(text)]
    found = [f"{'/'.join(who)} is not allocated to the claim"] if who not in allocated else []
    found += ["more than 8 conditions"] if len(entry.get("conditions") or ()) > MOST_CONDITIONS else []
    found += [f"{data} bytes of data"] if data > MOST_DATA else []
    return found + [f"address {text} is not in CIDR notation" for text in addresses]


def is_cidr(text: str) -> bool:
    """Whether an address has its prefix with it."""
    try:
        ipaddress.ip_interface(text)
    except ValueError:
        return False
    return "/" in text


def is_refused(event: Event) -> bool:
    """Whether the API server found fault with a claim's status that somebody wrote, who had the right to."""
    return _is_refused(event) and _RIGHTS not in event["message"]


def lacks_rights(event: Event) -> bool:
    """Whether somebody wrote a claim's status without the right to, which is for who installs a driver to give."""
    return _is_refused(event) and _RIGHTS in event["message"]


def _is_refused(event: Event) -> bool:
    writes = event["verb"] in ("update", "patch") and event["code"] in (400, 403, 422)
    return writes and event["resource"].startswith("resourceclaims") and "status" in str(event["message"])
