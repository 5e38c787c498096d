"""The controllers of the embedded cluster: claims of pods from templates, reservations, and garbage collection."""

from conformance.cluster.embedded.controllers.controllers import Controllers

__all__ = ["Controllers"]
