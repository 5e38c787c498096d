"""A cluster of somebody else, with a driver that is installed on it: looked at from a pod, and left as it was."""

from conformance.cluster.existing.backend import ExistingBackend
from conformance.cluster.existing.preflight import preflight
from conformance.cluster.existing.settings import ExistingSettings, Unusable

__all__ = ["ExistingBackend", "ExistingSettings", "Unusable", "preflight"]
