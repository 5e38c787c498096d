"""What is asked for on an existing cluster, and the error for what cannot be used."""

from dataclasses import dataclass
from pathlib import Path

from conformance.images import ON_NODES, PAUSE, mirrored


class Unusable(Exception):
    """Kubeconfig, rights or names that the user gave cannot be used; the text is one sentence that says why."""


@dataclass(frozen=True)
class ExistingSettings:
    """nodes: names of nodes that may be disturbed, none when nothing is; node_image: an image with python3.

    by_api: whether nodes are left alone, and the driver is seen through the API only; pause: an image whose container
    just waits, where nodes do not tell one that they have.
    """

    kubeconfig: Path
    nodes: tuple[str, ...] = ()
    node_image: str = ON_NODES
    by_api: bool = False
    pause: str = PAUSE

    @classmethod
    def of(
        cls,
        kubeconfig: Path | None,
        nodes: tuple[str, ...],
        node_image: str,
        registry: str = "",
        *,
        by_api: bool = False,
    ) -> "ExistingSettings":
        """What the options say; no image is the one by default. Raises Unusable without a kubeconfig.

        registry: prefix of the mirror that has the images that nobody named.
        """
        if kubeconfig is None:
            raise Unusable("an existing cluster needs a kubeconfig")
        return cls(kubeconfig, nodes, node_image or mirrored(ON_NODES, registry), by_api, mirrored(PAUSE, registry))
