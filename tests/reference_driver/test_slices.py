"""The slice controller against an API server that others use, too, and that fails."""

from collections.abc import Callable, Iterator

import pytest

from reference_driver.plugin import Device, KubeClient, Pool, SliceController
from reference_driver.plugin.backoff import Fuse
from reference_driver.plugin.credentials import Credentials

from .fake_api import FakeApi, fake_api

Publish = Callable[..., SliceController]


def gpus(count: int, **extra: object) -> dict[str, Pool]:
    return {"node-a": Pool([Device(f"gpu-{n}", {"index": n}, {"memory": "80Gi"}, extra) for n in range(count)])}


@pytest.fixture
def controller(api: FakeApi) -> Iterator[SliceController]:
    yield from _controller(api)


def _controller(api: FakeApi) -> Iterator[SliceController]:
    failed: list[bool] = []
    made = SliceController(KubeClient(Credentials(api.url)), "gpu.example.com", "node-a", lambda: failed.append(True))
    made.start()
    yield made
    made.stop()
    assert not failed


def publish(controller: SliceController, pools: dict[str, Pool]) -> None:
    controller.publish(pools)
    assert controller.wait_published(5)


def generations(api: FakeApi) -> list[int]:
    return [obj["spec"]["pool"]["generation"] for obj in api.slices()]


def test_a_slice_says_whose_it_is(api: FakeApi, controller: SliceController) -> None:
    publish(controller, gpus(2))
    (obj,) = api.slices()
    (owner,) = obj["metadata"]["ownerReferences"]
    node = api.objects["nodes", "node-a"]["metadata"]
    assert owner == {"apiVersion": "v1", "kind": "Node", "name": "node-a", "uid": node["uid"], "controller": True}
    assert obj["metadata"]["generateName"] == "00000-gpu.example.com-node-a-"
    assert obj["apiVersion"] == "resource.k8s.io/v1"
    assert obj["spec"]["nodeName"] == "node-a"
    assert obj["spec"]["pool"] == {"name": "node-a", "generation": 1, "resourceSliceCount": 1}


def test_an_unchanged_pool_is_not_written_again(api: FakeApi, controller: SliceController) -> None:
    publish(controller, gpus(2))
    before = api.slices()
    publish(controller, gpus(2))
    assert api.slices() == before


def test_a_deleted_slice_comes_back_at_once(api: FakeApi, controller: SliceController) -> None:
    publish(controller, gpus(2))
    api.remove("resourceslices", api.slices()[0]["metadata"]["name"])
    api.wait_slices(1)


def test_what_others_change_is_put_right(api: FakeApi, controller: SliceController) -> None:
    publish(controller, gpus(2))
    (obj,) = api.slices()
    api.store("resourceslices", obj | {"spec": obj["spec"] | {"devices": []}})
    with api.changed:
        assert api.changed.wait_for(lambda: len(api.slices()[0]["spec"]["devices"]) == 2, 5)


def test_many_devices_in_several_slices_of_one_generation(api: FakeApi, controller: SliceController) -> None:
    publish(controller, gpus(300))
    assert [len(obj["spec"]["devices"]) for obj in api.slices()] == [128, 128, 44]
    publish(controller, gpus(301))
    assert generations(api) == [1, 1, 1], "one slice changed: the others may stay"
    publish(controller, gpus(400))
    assert generations(api) == [2, 2, 2, 2]
    publish(controller, gpus(3))
    assert generations(api) == [3]
    assert api.slices()[0]["spec"]["pool"]["resourceSliceCount"] == 1


def test_an_empty_pool_and_no_pool(api: FakeApi, controller: SliceController) -> None:
    publish(controller, {"node-a": Pool()})
    assert [obj["spec"]["devices"] for obj in api.slices()] == [[]]
    publish(controller, {})
    assert api.slices() == []


@pytest.mark.parametrize("status", [409, 429, 500, 0])
def test_failures_are_tried_again(api: FakeApi, controller: SliceController, status: int) -> None:
    api.failures.extend([status] * 2)
    publish(controller, gpus(2))
    assert len(api.slices()) == 1


def test_a_server_that_drops_fields_is_not_asked_for_ever(api: FakeApi, controller: SliceController) -> None:
    api.drop_fields = ("taints",)
    pools = gpus(1, taints=[{"key": "gpu.example.com/hot", "effect": "NoSchedule"}])
    publish(controller, pools)
    written = [request for request in api.requests if request.startswith(("POST", "PUT"))]
    publish(controller, pools)
    api.store("resourceslices", api.slices()[0])  # an event, and nothing that is wrong
    publish(controller, pools)
    assert [request for request in api.requests if request.startswith(("POST", "PUT"))] == written


def test_foreign_slices_of_the_pool_are_left_when_nothing_was_published(
    api: FakeApi, controller: SliceController
) -> None:
    api.store("resourceslices", {"metadata": {"name": "x"}, "spec": {"driver": "gpu.example.com", "pool": {}}})
    assert not [request for request in api.requests if request.startswith("DELETE")]


def test_two_who_undo_each_other_are_slowed_down() -> None:
    fuse = Fuse(free=2, window=60, delay=5)
    assert [fuse.note() for _ in range(4)] == [0, 0, 5, 5]


def test_an_older_cluster_serves_v1beta2() -> None:
    with fake_api(("v1beta1", "v1beta2")) as api:
        for controller in _controller(api):
            publish(controller, gpus(1))
            assert api.slices()[0]["apiVersion"] == "resource.k8s.io/v1beta2"
