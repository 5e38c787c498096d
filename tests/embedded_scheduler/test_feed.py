import queue

from conformance.cluster.embedded.apiserver import Store
from conformance.cluster.embedded.scheduler.feed import Change, FeedThread
from conformance.history import History


def node(name: str) -> dict[str, object]:
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}}


def test_a_change_that_fails_is_recorded_and_the_next_one_worked_off() -> None:
    store, history = Store(), History()
    seen: queue.Queue[str] = queue.Queue()

    def work(changes: list[Change]) -> float:
        for change in changes:
            seen.put(change.object["metadata"]["name"])
            if change.object["metadata"]["name"] == "odd":
                raise OverflowError("too much")
        return 1e12  # longer than a thread can wait

    thread = FeedThread("worker", store, history, ["nodes"])
    thread.start(work)
    try:
        for name in ("odd", "usual", "last"):
            store.create("nodes", node(name))
            assert seen.get(timeout=10) == name
    finally:
        thread.stop()
    (error,) = history.events("error")
    assert error["where"] == "worker: batch of changes"
    assert "OverflowError: too much" in error["trace"]
