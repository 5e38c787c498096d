"""Manifests for partitions, as the public example driver has them when it is told to make four of a GPU."""

from .conftest import Apply
from .playground import Playground

ARGUMENTS = ("--partitions=4",)


def test_two_partitions_of_a_gpu(apply: Apply) -> None:
    story = apply("partitions").running()
    assert story.gpus("pod0") == ["gpu-0-partition-0", "gpu-0-partition-1"]
    assert (
        story.seen("pod0").items()
        >= {
            "GPU_DEVICE_0_PARTITION_1": "gpu-0-partition-1",
            "GPU_DEVICE_0_PARTITION_1_SHARING_STRATEGY": "TimeSlicing",
            "GPU_DEVICE_GPU_0_PARTITION_1_RESOURCE_CLAIM": "uid",
        }.items()
    )


def test_a_gpu_of_which_a_partition_is_in_use_is_not_given_out_whole(apply: Apply) -> None:
    apply("partitions").running()
    assert apply("full-gpu").running().gpus("pod0") == ["gpu-1"]


def test_what_partitions_say(ground: Playground) -> None:
    *_, devices = (item["spec"] for item in ground.slices())
    part, full = devices["devices"][3], devices["devices"][4]
    assert (part["name"], full["name"]) == ("gpu-0-partition-3", "gpu-0")
    assert part["capacity"] == {"memory": {"value": "20Gi"}, "compute": {"value": "25"}}
    assert part["attributes"].items() >= {"index": {"int": 0}, "partition": {"int": 3}}.items()
    assert part["attributes"]["partitionable"] == full["attributes"]["partitionable"] == {"bool": True}
    assert full["attributes"]["full"] == {"bool": True}
