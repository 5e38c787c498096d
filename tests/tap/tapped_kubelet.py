"""The embedded cluster with a tap between kubelet and drivers: `-p tests.tap.tapped_kubelet`.

To the kubelet the tap is the driver, as it is to a real one.
"""

from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from conformance.cluster.api import Api
from conformance.cluster.embedded import EmbeddedBackend
from conformance.cluster.kubelet import Kubelet, KubeletSettings
from conformance.cluster.tap import Places, Tap
from conformance.history import History
from tests.tap.outside import OutsideKubelet


class TappedKubelet(OutsideKubelet):
    """Drivers make their registration sockets in a shadow folder."""

    def __init__(self, name: str, root: Path, api: Api, history: History, settings: KubeletSettings) -> None:
        super().__init__(name, root, api, history, settings)
        self._registry = self.registry_dir
        self.registry_dir = self.kubelet_dir / "shadow"

    def find_drivers(self) -> Tap:
        """The tap."""
        home = self.kubelet_dir / "tap"
        places = Places(self.registry_dir, self._registry, home, PurePosixPath(home), self.host_path)
        return Tap(places, self.outside.caller, self.settings)

    def start_kubelet(self) -> None:
        """It looks at its own registry folder."""
        shadow, self.registry_dir = self.registry_dir, self._registry
        super().start_kubelet()
        self.registry_dir = shadow


class TappedCluster(EmbeddedBackend):
    """Each of its nodes has a tap."""

    def _kubelet(self, name: str) -> Kubelet:
        root = self._run_dir / name[-1]
        return TappedKubelet(name, root, self._kubelet_api(name), self.history, self._kubelet_settings())

    def describe(self) -> dict[str, Any]:
        """As of the embedded cluster."""
        return {**super().describe(), "outside": "tap"}


@pytest.hookimpl(tryfirst=True)
def pytest_dra_backend(kind: str, run_dir: Path, history: History, log_dir: Path) -> TappedCluster | None:
    """The embedded cluster has a tap."""
    return TappedCluster(run_dir, history, log_dir=log_dir) if kind == "embedded" else None
