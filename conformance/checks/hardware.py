"""What happens to a driver's devices, by hooks of its driver file, and what the driver then publishes of them."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from conformance.checks.publishing.pool import pools_of
from conformance.cluster import Cluster, Installation, Pod, seen_within
from conformance.verdict import NotApplicable, NotRun

Object = dict[str, Any]
Key = tuple[str, str]
"""Pool and device."""

_SETTLED = 5.0  # seconds for pools that are just being updated


def published(cluster: Cluster) -> dict[Key, Object]:
    """The driver's devices; while a pool is being updated it is waited for."""
    pools = seen_within(lambda: _complete(cluster), _SETTLED) or pools_of(cluster.slices())
    return {(pool.name, device["name"]): device for pool in pools for device in pool.devices}


def _complete(cluster: Cluster) -> list[Any]:
    pools = pools_of(cluster.slices())
    return pools if all(pool.complete for pool in pools) else []


def offered(cluster: Cluster) -> set[Key]:
    """The devices without taints: those that a claim can get that tolerates none."""
    return {key for key, device in published(cluster).items() if not device.get("taints")}


def some_device(cluster: Cluster) -> Key:
    """A device that is offered. Raises NotApplicable without any."""
    found = sorted(offered(cluster))
    if not found:
        raise NotApplicable("the driver offers no device")
    return found[-1]


def device_of(pod: Pod) -> Key:
    """The first device of the driver that the pod's claim has."""
    first = pod.claim("devices").devices(pod.cluster.target.driver_name)[0]
    return first.pool, first.device


def noticed(cluster: Cluster, before: set[Key], meant: Key) -> set[Key]:
    """Which of the devices are no longer offered, as soon as the one that was meant is not, or else any for a while.

    limits.notice is how long it may take until there is one; a device can be in several pools.
    """
    if seen_within(lambda: before - offered(cluster), cluster.target.file.limits.notice):
        seen_within(lambda: meant not in offered(cluster), _SETTLED)
    return before - offered(cluster)


def need_device(found: set[Key], meant: Key, hook: str) -> None:
    """Go on only where what happened, if anything, happened to the device that was meant. Raises NotRun."""
    if found and meant not in found:
        raise NotRun(f"the hook {hook} was told {meant[1]} and took another device; let its command use {{device}}")


@contextmanager
def removed(cluster: Cluster, driver: Installation, key: Key) -> Iterator[None]:
    """Inside the block a device is gone; afterwards it is there again, and was given time to be offered."""
    with _happening(cluster, driver, key, "remove_device", "add_device"):
        yield


@contextmanager
def sickened(cluster: Cluster, driver: Installation, key: Key) -> Iterator[None]:
    """Inside the block a device is sick; afterwards it is well, and was given time to be offered."""
    with _happening(cluster, driver, key, "sicken_device", "recover_device"):
        yield


@contextmanager
def _happening(cluster: Cluster, driver: Installation, key: Key, event: str, end: str) -> Iterator[None]:
    before = offered(cluster)
    driver.hook(event, pool=key[0], device=key[1])
    try:
        yield
    finally:
        driver.hook(end, pool=key[0], device=key[1])
        seen_within(lambda: before <= offered(cluster), cluster.target.file.limits.notice)


def within_notice(cluster: Cluster, condition: Callable[[], Any]) -> Any:
    """The condition's last answer, true or not, at most limits.notice after it was first asked."""
    return seen_within(condition, cluster.target.file.limits.notice)


def taints_of(device: Mapping[str, Any] | None) -> list[Object]:
    """The taints of a published device; none of one that is not listed."""
    found: list[Object] = (device or {}).get("taints") or []
    return found
