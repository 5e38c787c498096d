import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.cluster.kubelet import KubeletSettings

from .world import World

FAST = KubeletSettings(
    reconcile_period=0.02,
    register_backoff=0.05,
    reconnect_backoff=0.05,
    wipe_delay=0.4,
    wipe_retry=0.02,
    prepare_retry=0.05,
    prepare_retry_max=0.1,
    unprepare_retry=0.05,
    unprepare_retry_max=0.1,
    orphan_period=0.05,
    health_retry=0.05,
    resync_period=60,
)


@pytest.fixture
def world(run_dir: Path) -> Iterator[World]:
    before = set(threading.enumerate())
    world = World(run_dir, FAST)
    world.kubelet.start()
    yield world
    world.stop()
    left = [thread.name for thread in set(threading.enumerate()) - before if not thread.name.startswith("Thread-")]
    assert left == [], "the kubelet leaves no threads behind"
