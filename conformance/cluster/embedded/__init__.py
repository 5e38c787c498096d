"""The embedded cluster: a control plane, a kubelet and a runtime in this process."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conformance.cluster.embedded.backend import EmbeddedBackend, EmbeddedSettings

__all__ = ["EmbeddedBackend", "EmbeddedSettings"]


def __getattr__(name: str) -> object:
    """Import on first use: the parts of the cluster are imported one by one elsewhere, without all the others."""
    if name in __all__:
        from conformance.cluster.embedded import backend

        return getattr(backend, name)
    raise AttributeError(f"module {__name__} has no {name}")
