"""A kubelet that comes and goes leaves nothing behind."""

import os
import threading

from conformance.cluster.wait import wait_for

from .world import DRIVER, World


def descriptors() -> list[str]:
    """What this process has open that a kubelet would open."""
    names = []
    for number in os.listdir("/proc/self/fd"):
        try:
            names.append(os.readlink(f"/proc/self/fd/{number}").partition("[")[0])
        except FileNotFoundError:
            continue
    return sorted(name for name in names if name.startswith(("anon_inode", "pipe", "socket")))


def test_threads_and_descriptors(world: World) -> None:
    world.registered()
    world.kubelet.stop()
    wait_for(lambda: not [t for t in threading.enumerate() if "node-a" in t.name], "the threads to end", timeout=5)
    before = len(descriptors())
    for _ in range(3):
        world.kubelet.start()
        world.kubelet.wait_registered(DRIVER)
        world.kubelet.wait_connected(DRIVER)
        world.kubelet.stop()
    wait_for(lambda: len(descriptors()) <= before, "the descriptors to be closed", timeout=5)
