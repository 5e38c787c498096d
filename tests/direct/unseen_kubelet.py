"""The embedded cluster with a kubelet whose calls cannot be seen: `-p tests.direct.unseen_kubelet`."""

from pathlib import Path
from typing import Any

import pytest

from conformance.cluster.direct import Registry
from conformance.cluster.embedded import EmbeddedBackend
from conformance.cluster.kubelet import Kubelet
from conformance.history import History
from tests.tap.outside import OutsideKubelet


class UnseenKubelet(OutsideKubelet):
    """Nothing stands between it and the drivers."""

    sees_calls = False

    def find_drivers(self) -> Registry:
        """Those behind the sockets of its registry folder."""
        return Registry(self.registry_dir, self.host_path, self.outside.caller, self.settings)


class UnseenCluster(EmbeddedBackend):
    """Of such nodes."""

    def _kubelet(self, name: str) -> Kubelet:
        root = self._run_dir / name[-1]
        return UnseenKubelet(name, root, self._kubelet_api(name), self.history, self._kubelet_settings())

    def describe(self) -> dict[str, Any]:
        """As of the embedded cluster."""
        return {**super().describe(), "outside": "registry"}


@pytest.hookimpl(tryfirst=True)
def pytest_dra_backend(kind: str, run_dir: Path, history: History, log_dir: Path) -> UnseenCluster | None:
    """The embedded cluster shows no calls."""
    return UnseenCluster(run_dir, history, log_dir=log_dir) if kind == "embedded" else None
