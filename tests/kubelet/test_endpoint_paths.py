"""A driver in a container has the kubelet's folder where nodes have it, and says so in its endpoint."""

import pytest

from .world import World


@pytest.mark.parametrize("scheme", ["", "unix:"])
def test_the_kubelets_folder_is_known_by_its_usual_name(world: World, scheme: str) -> None:
    plugin = world.plugin(endpoint=f"{scheme}/var/lib/kubelet/plugins/gpu.example.com/dra.sock")
    (registered,) = world.kubelet.wait_registered("gpu.example.com")
    assert registered.endpoint == f"{scheme}{plugin.endpoint_socket}"
    world.kubelet.wait_connected("gpu.example.com")


def test_other_paths_are_taken_as_they_are(world: World) -> None:
    plugin = world.plugin()
    (registered,) = world.kubelet.wait_registered("gpu.example.com")
    assert registered.endpoint == str(plugin.endpoint_socket)
