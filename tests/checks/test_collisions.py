"""What two devices in one container set to different things."""

from typing import Any

from conformance.checks.injection.collisions import collisions
from conformance.cluster.cdi import ContainerEdits


def edits(**raw: Any) -> ContainerEdits:
    return ContainerEdits.from_raw(raw)


def test_what_is_the_same_or_apart_does_not_collide() -> None:
    one = edits(env=["NODE=a", "GPU_0=x"], deviceNodes=[{"path": "/dev/gpu0"}])
    other = edits(env=["NODE=a", "GPU_1=y"], deviceNodes=[{"path": "/dev/gpu1"}])
    assert collisions({"one": one, "other": other}) == []


def test_variables_mounts_and_device_nodes_collide() -> None:
    mount = {"containerPath": "/lib/gpu"}
    one = edits(env=["GPU=x"], mounts=[{**mount, "hostPath": "/a"}], deviceNodes=[{"path": "/dev/gpu", "minor": 0}])
    other = edits(env=["GPU=y"], mounts=[{**mount, "hostPath": "/b"}], deviceNodes=[{"path": "/dev/gpu", "minor": 1}])
    found = collisions({"one": one, "other": other})
    assert [text.partition(":")[0] for text in found] == ["variable GPU", "mount /lib/gpu", "device node /dev/gpu"]
    assert found[0] == "variable GPU: x by one, y by other"


def test_one_device_may_set_a_variable_twice() -> None:
    assert collisions({"one": edits(env=["GPU=x", "GPU=y"])}) == []
