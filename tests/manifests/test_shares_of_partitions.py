"""Manifests for partitions that several claims have at once."""

from .conftest import Apply
from .test_shares import shares

ARGUMENTS = ("--partitions=4", "--shares=2")


def test_two_pods_share_a_partition(apply: Apply) -> None:
    story = apply("shares-of-partitions").running()
    seen = [story.seen(pod)["GPU_DEVICE_0_PARTITION_0"] for pod in ("pod0", "pod1")]
    assert seen == ["gpu-0-partition-0", "gpu-0-partition-0"]
    assert [shares(story, pod) for pod in ("pod0", "pod1")] == [{"MEMORY": "8Gi", "COMPUTE": "10"}] * 2
