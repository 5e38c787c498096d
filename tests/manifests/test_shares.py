"""Manifests for GPUs that several claims have at once, as the public example driver has them when it is told to."""

from .conftest import Apply
from .playground import Playground, Story

ARGUMENTS = ("--shares=4",)


def shares(story: Story, pod: str) -> dict[str, str]:
    """What a container is told of its share, without the share's id, which is new each time."""
    ends = {"MEMORY", "COMPUTE"}
    return {end: value for name, value in story.seen(pod).items() if (end := name.rpartition("_")[2]) in ends}


def test_two_pods_share_a_gpu(apply: Apply) -> None:
    story = apply("shares").running()
    assert [story.seen(pod)["GPU_DEVICE_0"] for pod in ("pod0", "pod1")] == ["gpu-0", "gpu-0"]
    assert [shares(story, pod) for pod in ("pod0", "pod1")] == [{"MEMORY": "16Gi", "COMPUTE": "20"}] * 2


def test_claims_without_an_amount_have_a_quarter_each(apply: Apply) -> None:
    story = apply("one-gpu-each").running()
    assert story.gpus("pod0") == story.gpus("pod1") == ["gpu-0"]
    assert shares(story, "pod0") == {"MEMORY": "20Gi", "COMPUTE": "25"}


def test_amounts_that_may_be_asked_for(ground: Playground) -> None:
    (item,) = ground.slices()
    device = item["spec"]["devices"][0]
    assert device["allowMultipleAllocations"] is True
    policies = {name: capacity["requestPolicy"]["validRange"] for name, capacity in device["capacity"].items()}
    assert policies == {"memory": {"min": "1Gi", "step": "1Gi"}, "compute": {"min": "1", "step": "1"}}
