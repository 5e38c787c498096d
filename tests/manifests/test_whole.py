"""Manifests written for the public example driver: what their containers see of the reference driver."""

import pytest

from .conftest import Apply
from .playground import Playground


def of(gpu: int, **setting: str) -> dict[str, str]:
    """The variables for one GPU, by default with its default of sharing."""
    setting = setting or {"TIMESLICE_INTERVAL": "Default"}
    strategy = "SpacePartitioning" if "PARTITION_COUNT" in setting else "TimeSlicing"
    return {
        "KUBERNETES_NODE_NAME": "node-a",
        "DRA_RESOURCE_DRIVER_NAME": "gpu.example.com",
        f"GPU_DEVICE_{gpu}": f"gpu-{gpu}",
        f"GPU_DEVICE_GPU_{gpu}_RESOURCE_CLAIM": "uid",
        f"GPU_DEVICE_{gpu}_SHARING_STRATEGY": strategy,
        **{f"GPU_DEVICE_{gpu}_{name}": value for name, value in setting.items()},
    }


def test_a_gpu_for_each_pod(apply: Apply) -> None:
    story = apply("one-gpu-each").running()
    (one,), (other,) = story.gpus("pod0"), story.gpus("pod1")
    assert one != other
    assert story.seen("pod0") == of(int(one.removeprefix("gpu-")))


def test_two_requests_of_a_container(apply: Apply) -> None:
    story = apply("two-requests").running()
    assert story.seen("pod0") == {**of(0), **of(1)}


@pytest.mark.parametrize(
    ("manifest", "containers"),
    [
        ("two-containers", (("pod0", "one"), ("pod0", "other"))),
        ("two-pods", (("pod0", "main"), ("pod1", "main"))),
        ("init-container", (("pod0", "first"), ("pod0", "main"))),
    ],
)
def test_a_gpu_that_is_shared(apply: Apply, manifest: str, containers: tuple[tuple[str, str], ...]) -> None:
    story = apply(manifest).running()
    assert [story.seen(*place) for place in containers] == [of(0), of(0)]


def test_ways_of_sharing(apply: Apply) -> None:
    story = apply("configs").running()
    sliced, parted = of(0, TIMESLICE_INTERVAL="Long"), of(1, PARTITION_COUNT="10")
    seen = [story.seen("pod0", name) for name in ("sliced-0", "sliced-1", "parted-0", "parted-1")]
    assert seen == [sliced, sliced, parted, parted]


def test_a_gpu_by_model_and_memory(apply: Apply) -> None:
    assert apply("selected").running().seen("pod0") == of(0)


def test_the_first_alternative_that_can_be_had(apply: Apply) -> None:
    story = apply("alternatives").running()
    chosen = [story.claim(pod)["devices"]["results"][0]["request"] for pod in ("pod0", "pod1")]
    assert chosen == ["gpu/any", "gpu/latest"]
    assert [len(story.gpus(pod)) for pod in ("pod0", "pod1")] == [1, 1]


def test_configurations_of_alternatives(apply: Apply) -> None:
    story = apply("alternatives-configs").running()
    intervals = {}
    for pod in ("pod0", "pod1", "pod2"):
        results = story.claim(pod)["devices"]["results"]
        gpus = {row["request"].partition("/")[0]: row["device"].removeprefix("gpu-") for row in results}
        seen = story.seen(pod)
        intervals[pod] = [seen[f"GPU_DEVICE_{gpus[name]}_TIMESLICE_INTERVAL"] for name in ("gpu", "extra")]
    assert intervals == {"pod0": ["Long", "Default"], "pod1": ["Short", "Default"], "pod2": ["Long", "Default"]}


def test_an_administrator_sees_all_gpus_also_those_in_use(apply: Apply) -> None:
    user = apply("one-gpu-each").running()
    story = apply("admin-access").running()
    assert story.gpus("pod0") == [f"gpu-{number}" for number in range(8)]
    assert story.seen("pod0")["DRA_ADMIN_ACCESS"] == "true"
    assert "DRA_ADMIN_ACCESS" not in user.seen("pod0")


def test_gpus_without_a_claim(apply: Apply) -> None:
    story = apply("extended-resources").running()
    assert len({*story.gpus("pod0"), *story.gpus("pod1")}) == 2


def test_a_taint_on_all_gpus_keeps_new_pods_away(apply: Apply, ground: Playground) -> None:
    before = apply("one-gpu-each").running()
    ground.tainted("taint-no-schedule")
    story = apply("tolerations")
    story.pod("tolerant").wait_running(timeout=20)
    assert story.pod("cautious").phase == "Pending"
    assert [pod.phase for pod in before.pods()] == ["Running", "Running"]


def test_a_taint_on_all_gpus_evicts(apply: Apply, ground: Playground) -> None:
    story = apply("tolerations").running()
    ground.tainted("taint-no-execute")
    story.pod("cautious").wait_gone(timeout=20)
    assert story.pod("tolerant").phase == "Running"


def test_gpus_say_what_those_of_the_example_driver_say(ground: Playground) -> None:
    (item,) = ground.slices()
    devices = item["spec"]["devices"]
    assert [device["name"] for device in devices] == [f"gpu-{number}" for number in range(8)]
    device = devices[3]
    assert device["attributes"]["uuid"]["string"].startswith("gpu-")
    said = {"index": {"int": 3}, "model": {"string": "LATEST-GPU-MODEL"}, "driverVersion": {"version": "1.0.0"}}
    assert device["attributes"].items() >= said.items()
    assert device["capacity"] == {"memory": {"value": "80Gi"}, "compute": {"value": "100"}}
