"""Whether a driver has offered anything at all: without a device, nothing that needs one was judged."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def offers_device(event: Mapping[str, Any], driver: str) -> bool:
    """Whether an event of kind `api` is about a ResourceSlice of this driver with a device."""
    if event["resource"] != "resourceslices":
        return False
    spec = event["object"].get("spec") or {}
    return spec.get("driver") == driver and bool(spec.get("devices"))


def has_published(history: Path, driver: str) -> bool:
    """Whether a history.jsonl holds such an event; not if it is not there."""
    try:
        with history.open(encoding="utf-8") as lines:
            rows = (json.loads(line) for line in lines if '"resourceslices"' in line)
            return any(row["kind"] == "api" and offers_device(row, driver) for row in rows)
    except FileNotFoundError:
        return False
