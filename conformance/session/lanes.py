"""pytest-xdist: checks go to workers as planned, a lane to each."""

from collections.abc import Mapping
from typing import Any

import pytest
from xdist.scheduler.loadscope import LoadScopeScheduling


class Lanes(LoadScopeScheduling):  # type: ignore[misc]
    """Hands out lanes of checks; ordinary tests are grouped by file, as with --dist=loadfile.

    No worker has two lanes, as they wait for each other; where a worker has died, nobody waits any more.
    """

    def __init__(self, config: pytest.Config, log: Any) -> None:
        super().__init__(config, log)
        self.lanes: Mapping[str, str] = {}

    def _split_scope(self, nodeid: str) -> str:
        return self.lanes.get(nodeid) or nodeid.split("::", 1)[0]

    def schedule(self) -> None:
        """Give the first lane to gw0, whichever worker was ready first."""
        if self.collection is None:
            self.assigned_work: dict[Any, Any] = dict(
                sorted(self.assigned_work.items(), key=lambda item: str(item[0].gateway.id))
            )
        super().schedule()

    def _assign_work_unit(self, node: Any) -> None:
        lanes = set(self.lanes.values())
        first = next((scope for scope in self.workqueue if scope in lanes), None)
        if first:
            unit = self.workqueue[first]
            self.workqueue[first] = {nodeid: unit[nodeid] for nodeid in self.lanes if nodeid in unit}
            self.workqueue.move_to_end(first, last=False)
        super()._assign_work_unit(node)

    def _reschedule(self, node: Any) -> None:
        """A worker that replaces a dead one gets work once it has collected, also when another dies meanwhile."""
        if node in self.registered_collections:
            super()._reschedule(node)

    def remove_node(self, node: Any) -> str | None:
        """Take a worker out; the check that it died in counts as run, so that it does not kill the next worker, too."""
        pending = [unit for unit in self.assigned_work[node].values() if False in unit.values()]
        if pending:
            crashed = next(nodeid for nodeid, done in pending[0].items() if not done)
            pending[0][crashed] = True
            super().remove_node(node)
            return str(crashed)
        return super().remove_node(node)  # type: ignore[no-any-return]
