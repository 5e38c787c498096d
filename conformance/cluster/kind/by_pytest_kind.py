"""Makes a cluster with pytest-kind-ng: the one module that imports it, run as a process of its own.

It downloads programs and makes folders where it is, unless told otherwise: so it is told our kind and our kubectl, and
is run in the folder of the run.

usage: python -m conformance.cluster.kind.by_pytest_kind NAME IMAGE KIND CONFIG KUBECONFIG
"""

import sys
from pathlib import Path

from pytest_kind import KindCluster


def main(name: str, image: str, kind: str, config: str, kubeconfig: str) -> None:
    """Make the cluster. Raises subprocess.CalledProcessError."""
    kubectl = Path(kind).with_name("kubectl")
    cluster = KindCluster(name, Path(kubeconfig), image, kind_path=Path(kind), kubectl_path=kubectl)
    cluster.create(config)


if __name__ == "__main__":
    main(*sys.argv[1:])
