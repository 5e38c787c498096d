"""Conformance suite for Kubernetes Dynamic Resource Allocation (DRA) drivers."""

__version__ = "0.1.0"
