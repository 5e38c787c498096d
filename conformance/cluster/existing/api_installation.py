"""A driver that was on the cluster before, of which only what it publishes is looked at."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NoReturn

from conformance.cluster.api import Api
from conformance.cluster.existing.elsewhere import ElsewhereInstance
from conformance.cluster.local.readiness import incomplete_pools
from conformance.cluster.protocol import Instance, Node
from conformance.cluster.wait import wait_for
from conformance.target import Target
from conformance.verdict import NotRun


class ApiInstallation:
    """It is ready when its pools are complete; where its processes are is not asked."""

    def __init__(self, target: Target, node: Node, api: Api) -> None:
        self.target = target
        self.node = node
        self._api = api
        self._instance = ElsewhereInstance(node.name)

    @property
    def state_dir(self) -> Path:
        """Always raises NotRun."""
        self._refuse("its state is left alone")

    @property
    def instances(self) -> Sequence[Instance]:
        """One, of which nothing is known."""
        return [self._instance]

    def start(self, *, uid: str | None = None, next_version: bool = False) -> Instance:
        """The one that is there. Raises NotRun where another one is wanted."""
        if uid is not None or next_version:
            self._refuse("it is not started")
        return self._instance

    def wait_ready(self, *, timeout: float = 60) -> None:
        """Wait until its pools are published and complete. Raises WaitTimeout."""
        what = f"driver {self.target.driver_name} to be ready"
        wait_for(lambda: not self.trouble(), what, timeout=timeout, otherwise=self.trouble)

    def trouble(self) -> str:
        """What keeps it from being ready; "" when it is."""
        name = self.target.driver_name
        items = self._api.list("resourceslices", field_selector=f"spec.driver={name}")["items"]
        return "; ".join(incomplete_pools(items)) if items else f"driver {name} has published no ResourceSlice"

    def restore(self) -> None:
        """Wait until it is ready: nothing else is done to it. Raises WaitTimeout."""
        self.wait_ready()

    def restart(self) -> NoReturn:
        """Always raises NotRun."""
        self._refuse("it is not restarted")

    def away(self) -> AbstractContextManager[None]:
        """Always raises NotRun."""
        self._refuse("it is not taken off its node")

    def hook(self, name: str, *, device: str = "", pool: str = "") -> NoReturn:  # noqa: ARG002
        """Always raises NotRun."""
        self._refuse("no hook of it is known")

    def roll_out(self) -> AbstractContextManager[tuple[Instance, Instance]]:
        """Always raises NotRun."""
        self._refuse("it is not updated")

    def _refuse(self, consequence: str) -> NoReturn:
        raise NotRun(f"driver {self.target.driver_name} is only looked at through the API, so {consequence}")
