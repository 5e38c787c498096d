"""The scheduler of the embedded cluster: selectors in CEL, allocation of devices, placement and binding of pods."""

from conformance.cluster.embedded.scheduler.scheduler import Scheduler, SchedulerSettings

__all__ = ["Scheduler", "SchedulerSettings"]
