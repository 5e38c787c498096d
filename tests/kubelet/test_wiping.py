"""When the kubelet deletes ResourceSlices of its node."""

from dataclasses import replace
from pathlib import Path

from .conftest import FAST
from .world import DRIVER, World

ALL = "spec.nodeName=node-a"
ONE = f"spec.nodeName=node-a,spec.driver={DRIVER}"


def test_all_slices_at_every_start(world: World) -> None:
    assert world.api.deleted_collections == [ALL]
    world.kubelet.restart()
    assert world.api.deleted_collections == [ALL, ALL]


def test_slices_of_a_driver_that_stays_away(world: World) -> None:
    plugin = world.registered()
    since = len(world.history)
    plugin.close(plugin.endpoint_socket)
    world.kubelet.wait_connected(DRIVER, connected=False)
    lost = world.happened("unusable", since=since)
    wiped = world.happened("wiped", lambda event: event["driver"] == DRIVER)
    assert wiped.time - lost.time >= world.kubelet.settings.wipe_delay * 0.9
    assert world.api.deleted_collections == [ALL, ONE]


def test_deregistration_counts_as_a_loss(world: World) -> None:
    plugin = world.registered()
    plugin.close(plugin.registration_socket)
    world.happened("wiped", lambda event: event["driver"] == DRIVER)


def test_a_plugin_that_never_connects(world: World) -> None:
    plugin = world.plugin(endpoint="/nowhere/at.all")
    plugin.wait(lambda: bool(plugin.notified))
    world.happened("wiped", lambda event: event["driver"] == DRIVER)


def test_not_when_it_is_back_in_time(world: World) -> None:
    plugin = world.registered()
    plugin.close(plugin.endpoint_socket)
    world.kubelet.wait_connected(DRIVER, connected=False)
    plugin.serve_endpoint()
    world.kubelet.wait_connected(DRIVER)
    assert world.kubelet.pending_wipes() == []


def test_not_while_another_instance_is_connected(world: World) -> None:
    world.registered()
    new = world.registered(suffix="-new")
    new.close(new.endpoint_socket)
    world.kubelet.wait_instance(DRIVER, str(world.plugins[0].endpoint_socket))
    assert world.kubelet.pending_wipes() == []


def test_a_failing_wipe_is_tried_again(world: World) -> None:
    world.api.refusals = 2
    since = len(world.history)
    world.kubelet.restart()
    world.happened("wiped", since=since)
    assert world.api.deleted_collections == [ALL, ALL]


def test_a_wipe_is_given_up_after_nine_tries(run_dir: Path) -> None:
    world = World(run_dir, replace(FAST, wipe_retry=0.001))
    world.api.refusals = 9
    world.kubelet.start()
    try:
        failed = world.happened("wipe_failed")
        assert failed["details"].endswith("not now")
        assert world.api.refusals == 0
        assert world.api.deleted_collections == []
    finally:
        world.stop()


def test_without_a_node_object_a_wipe_is_tried_again(world: World) -> None:
    plugin = world.registered()
    world.api.delete("nodes", "node-a")
    since = len(world.history)
    plugin.close(plugin.endpoint_socket)
    world.happened("unusable", since=since)
    assert not world.history.wait("kubelet", lambda event: event["action"] == "wiped", since=since, timeout=0.6)
    world.api.create("nodes", {"metadata": {"name": "node-a"}})
    world.happened("wiped", lambda event: event["driver"] == DRIVER, since=since)


def test_each_loss_counts_anew(world: World) -> None:
    plugin = world.registered()
    for number in (1, 2):
        plugin.close(plugin.endpoint_socket)
        world.happened("wiped", lambda event: event["driver"] == DRIVER, since=len(world.history))
        assert world.api.deleted_collections == [ALL, *[ONE] * number]
        plugin.serve_endpoint()
        world.kubelet.wait_connected(DRIVER)
