"""Events about pods: recorded once, counted after that."""

from conformance.cluster.embedded.apiserver.store import Store
from conformance.cluster.embedded.scheduler.events import emit, set_condition
from tests.embedded_scheduler.objects import Obj


def a_pod(store: Store) -> Obj:
    spec = {"containers": [{"name": "c", "image": "none"}]}
    return store.create("pods", {"metadata": {"name": "p"}, "spec": spec}, "default")


def a_store() -> Store:
    store = Store()
    if not store.exists("namespaces", "default"):
        store.create("namespaces", {"metadata": {"name": "default"}})
    return store


def test_an_event_of_a_controller_is_counted() -> None:
    store = a_store()
    pod = a_pod(store)
    for _ in range(3):
        emit(store, pod, "some-controller", "Warning", "Broken", "It is broken.")
    (event,) = store.list("events", "default")
    assert (event["count"], event["source"]) == (3, {"component": "some-controller"})


def test_an_event_with_an_action_is_a_series() -> None:
    store = a_store()
    pod = a_pod(store)
    for _ in range(3):
        emit(store, pod, "some-scheduler", "Normal", "Scheduled", "It goes there.", action="Binding")
    (event,) = store.list("events", "default")
    assert (event["action"], event["series"]["count"]) == ("Binding", 3)


def test_other_words_are_another_event() -> None:
    store = a_store()
    pod = a_pod(store)
    for message in ("one", "two"):
        emit(store, pod, "some-controller", "Warning", "Broken", message)
    assert {event["message"] for event in store.list("events", "default")} == {"one", "two"}


def test_an_event_of_a_namespace_that_is_gone_is_dropped() -> None:
    store = a_store()
    pod = {"metadata": {"name": "p", "namespace": "gone", "uid": "u"}}
    emit(store, pod, "some-controller", "Warning", "Broken", "It is broken.")
    assert store.list("events") == []


def test_a_condition_keeps_its_place_and_the_time_of_its_last_transition() -> None:
    ready = {"type": "Ready", "status": "False", "lastTransitionTime": "2026-01-01T00:00:00Z"}
    status = {"conditions": [dict(ready), {"type": "Other", "status": "True"}]}
    assert set_condition(status, {"type": "Ready", "status": "False", "message": "still not"})
    assert status["conditions"][0] == {**ready, "message": "still not"}
    assert not set_condition(status, {"type": "Ready", "status": "False", "message": "still not"})
    assert set_condition(status, {"type": "Ready", "status": "True"})
    assert status["conditions"][0]["lastTransitionTime"] != ready["lastTransitionTime"]
