"""Whether a driver has published a device, as the history of its run tells."""

from pathlib import Path

import pytest

from conformance.history import History
from conformance.published import has_published

DRIVER = "gpu.example.com"


def recorded(file: Path, *events: tuple[str, str, object]) -> Path:
    """A history with these events, each about a resource, with more about it."""
    history = History(file)
    for kind, resource, more in events:
        history.record(kind, resource=resource, **({"object": more} if kind == "api" else {"verb": more}))
    history.close()
    return file


def a_slice(driver: str, *devices: str) -> object:
    return {"metadata": {"name": "s"}, "spec": {"driver": driver, "devices": [{"name": name} for name in devices]}}


@pytest.mark.parametrize(
    ("events", "published"),
    [
        ([], False),
        ([("api", "resourceslices", a_slice(DRIVER, "gpu-0"))], True),
        ([("api", "resourceslices", a_slice(DRIVER))], False),
        ([("api", "resourceslices", a_slice("nic.example.com", "nic-0"))], False),
        ([("api", "resourceslices", {"metadata": {"name": "s"}, "spec": {"driver": DRIVER}})], False),
        ([("request", "resourceslices", "create"), ("api", "pods", {"metadata": {"name": "p"}})], False),
        ([("request", "resourceslices", "create"), ("api", "resourceslices", a_slice(DRIVER, "gpu-0"))], True),
    ],
)
def test_only_a_device_of_the_driver_counts(
    events: list[tuple[str, str, object]], published: bool, tmp_path: Path
) -> None:
    assert has_published(recorded(tmp_path / "history.jsonl", *events), DRIVER) is published


def test_without_a_history_nothing_was_published(tmp_path: Path) -> None:
    assert not has_published(tmp_path / "history.jsonl", DRIVER)
