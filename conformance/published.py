"""Whether a driver has offered anything at all: without a device, nothing that needs one was judged."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def offers_device(event: Mapping[str, Any], driver: str) -> bool:
    """Whether an event of kind `api`, as a history holds it, is a ResourceSlice of this driver with a device."""
    if event.get("resource") != "resourceslices":
        return False
    spec = event["object"].get("spec") or {}
    return spec.get("driver") == driver and bool(spec.get("devices"))


def has_published(history: Path, driver: str) -> bool:
    """Whether a history.jsonl holds such an event; not if it is not there."""
    try:
        with history.open(encoding="utf-8") as lines:
            return any('"resourceslices"' in line and offers_device(json.loads(line), driver) for line in lines)
    except FileNotFoundError:
        return False
