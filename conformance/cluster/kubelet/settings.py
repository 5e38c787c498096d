"""Periods and limits of the kubelet. Its own periods are shorter here than in real life; `real()` has the others.

Time that the contract gives a driver (GetInfo, Notify, calls, wiping, health) is never cut.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class KubeletSettings:
    """All in seconds; the kubelet's real value in the comment."""

    dial_timeout: float = 10.0  # 10: blocking dial of a registration socket
    get_info_timeout: float = 1.0  # 1
    notify_timeout: float = 5.0  # 5
    call_timeout: float = 45.0  # 45: one Prepare or Unprepare call
    wipe_delay: float = 30.0  # 30: from the loss of a driver's last connection to the deletion of its slices
    wipe_retry: float = 0.2  # 1, doubling, with up to a fifth more
    wipe_tries: int = 9  # 9
    reconcile_period: float = 0.1  # 1: registration loop
    register_backoff: float = 0.1  # 0.5, doubling
    register_backoff_max: float = 2.0  # 122
    reconnect_backoff: float = 0.1  # 1, growing: gRPC's own, of the connection to a driver
    reconnect_backoff_max: float = 1.0  # 120
    prepare_retry: float = 0.5  # 60 to 90
    prepare_retry_max: float = 2.0  # 90
    unprepare_retry: float = 0.5  # 10 to 15; also after a container could not be created
    unprepare_retry_max: float = 2.0  # 15
    resync_period: float = 1.0  # 60 to 90: pods that use claims are looked at again, for the health of their devices
    orphan_period: float = 1.0  # 60: claims of pods that are gone are unprepared
    health_retry: float = 1.0  # 5: a health stream that ended is opened again
    health_timeout: float = 30.0  # 30: without news a device's health is unknown
    optional_node_operations: bool = False  # feature gate DRAOptionalNodeOperations, alpha and off
    seed: int = 0  # drivers of a pod are called in random order; the same seed gives the same order

    @classmethod
    def real(cls) -> "KubeletSettings":
        """The periods of the real kubelet."""
        return cls(
            wipe_retry=1.0,
            reconcile_period=1.0,
            register_backoff=0.5,
            register_backoff_max=122.0,
            reconnect_backoff=1.0,
            reconnect_backoff_max=120.0,
            prepare_retry=60.0,
            prepare_retry_max=90.0,
            unprepare_retry=10.0,
            unprepare_retry_max=15.0,
            resync_period=60.0,
            orphan_period=60.0,
            health_retry=5.0,
        )


def growing(first: float, most: float, failures: int) -> float:
    """The delay after so many failures (at least one): doubling from `first` up to `most`."""
    return min(first * float(2 ** min(failures - 1, 20)), most)
