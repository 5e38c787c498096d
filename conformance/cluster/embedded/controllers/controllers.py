"""All controllers, in one thread that works off changes of the store."""

from conformance.cluster.embedded.apiserver.kinds import KINDS
from conformance.cluster.embedded.apiserver.store import Store
from conformance.cluster.embedded.controllers.claims import ClaimController
from conformance.cluster.embedded.controllers.eviction import EvictionController
from conformance.cluster.embedded.controllers.garbage import GarbageCollector
from conformance.cluster.embedded.scheduler.feed import Change, FeedThread
from conformance.history import History


class Controllers:
    """What kube-controller-manager does for devices; start and stop it once. Namespaces are the store's business."""

    def __init__(self, store: Store, history: History) -> None:
        self._claims = ClaimController(store)
        self._garbage = GarbageCollector(store)
        self._evictions = EvictionController(store)
        # Events own nothing and are owned by nobody.
        resources = [plural for plural in KINDS if plural != "events"]
        self._thread = FeedThread("controllers", store, history, resources)

    def start(self) -> None:
        """Start working."""
        self._thread.start(self._work)

    def stop(self) -> None:
        """Stop after the changes that are being worked on; may be called twice."""
        self._thread.stop()

    def _work(self, changes: list[Change]) -> float | None:
        for change in changes:
            for handle in (self._claims.handle, self._garbage.handle, self._evictions.note):
                self._thread.attempt(str(change), handle, change)
        attempt = self._thread.attempt
        waits = [attempt("claims", self._claims.retry), attempt("evictions", self._evictions.check)]
        return min((wait for wait in waits if wait is not None), default=None)
