"""A real control plane without root: etcd and Kubernetes' own programs as processes, with our kubelet as node."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conformance.cluster.control_plane.backend import ControlPlaneBackend

__all__ = ["ControlPlaneBackend"]


def __getattr__(name: str) -> object:
    """Import on first use: its parts are imported one by one elsewhere, without all the others."""
    if name in __all__:
        from conformance.cluster.control_plane import backend

        return getattr(backend, name)
    raise AttributeError(f"module {__name__} has no {name}")
