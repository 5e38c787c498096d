"""A proxy between a driver and its API server, over HTTPS on both sides, that disturbs what it is told to."""

from conformance.cluster.local.apiproxy.proxy import ApiProxy

__all__ = ["ApiProxy"]
