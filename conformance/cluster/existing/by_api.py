"""Somebody's cluster seen through its API alone: no pod looks at nodes, and nothing is asked of the driver itself."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from conformance.cluster.api import Object
from conformance.cluster.existing.api_installation import ApiInstallation
from conformance.cluster.existing.api_node import ApiNode
from conformance.cluster.existing.backend import ExistingBackend
from conformance.cluster.existing.devices import devices_left
from conformance.cluster.existing.fleet import ExistingFleet
from conformance.cluster.existing.heartbeat import Heartbeat
from conformance.cluster.existing.telling import COMMAND
from conformance.cluster.kubeconfig import Access
from conformance.cluster.protocol import Installation, Node
from conformance.target import Target
from conformance.verdict import NotRun


class ApiBackend(ExistingBackend):
    """For a driver of which only the names are known. Containers tell by their logs what they see."""

    telling_command = COMMAND

    @property
    def telling_image(self) -> str:
        """An image in which that command runs."""
        return self.settings.node_image

    def install(self, target: Target) -> ApiInstallation:  # type: ignore[override]
        """The driver that is there."""
        return ApiInstallation(target, self.nodes[0], self.api)

    def claims_free(self, target: Target) -> int:
        """How many devices of the first node others have left: how many a claim takes is not known."""
        slices = self.api.list("resourceslices", field_selector=f"spec.driver={target.driver_name}")["items"]
        claims = self.api.list("resourceclaims")["items"]
        return devices_left(target, self.nodes[0].name, slices, claims, self._own.namespaces)

    @contextmanager
    def fleet(self, installation: Installation) -> Iterator[ExistingFleet]:  # noqa: ARG002
        """Always raises NotRun."""
        raise NotRun("only one node is looked at")
        yield

    def _look_at(self, chosen: Sequence[Object], home: str, access: Access) -> Sequence[Node]:  # noqa: ARG002
        heartbeat = Heartbeat(self._own, home, self.image)
        self._run(heartbeat.start, heartbeat.stop)
        return [ApiNode(obj, self.api, self._run_dir / f"n{number}") for number, obj in enumerate(chosen)]

    def describe(self) -> dict[str, Any]:
        """Kind, versions, nodes: for the report."""
        described = super().describe()
        return {**described, "settings": {**described["settings"], "by_api": True}}
