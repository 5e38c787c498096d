"""What is asked for on an existing cluster, and the error for what cannot be used."""

from dataclasses import dataclass
from pathlib import Path

NODE_IMAGE = "python:3.12-slim"


class Unusable(Exception):
    """Kubeconfig, rights or names that the user gave cannot be used; the text is one sentence that says why."""


@dataclass(frozen=True)
class ExistingSettings:
    """nodes: names of nodes that may be disturbed, none when nothing is; node_image: an image with python3.

    by_api: whether nodes are left alone, and the driver is seen through the API only.
    """

    kubeconfig: Path
    nodes: tuple[str, ...] = ()
    node_image: str = NODE_IMAGE
    by_api: bool = False

    @classmethod
    def of(
        cls, kubeconfig: Path | None, nodes: tuple[str, ...], node_image: str, *, by_api: bool = False
    ) -> "ExistingSettings":
        """What the options say; no image is the one by default. Raises Unusable without a kubeconfig."""
        if kubeconfig is None:
            raise Unusable("an existing cluster needs a kubeconfig")
        return cls(kubeconfig, nodes, node_image or NODE_IMAGE, by_api)
