"""A cluster of somebody else, with a driver that is installed on it: looked at from a pod, and left as it was."""

from conformance.cluster.existing.backend import ExistingBackend
from conformance.cluster.existing.by_api import ApiBackend
from conformance.cluster.existing.making import make_backend
from conformance.cluster.existing.preflight import preflight
from conformance.cluster.existing.settings import ExistingSettings, Unusable

__all__ = ["ApiBackend", "ExistingBackend", "ExistingSettings", "Unusable", "make_backend", "preflight"]
