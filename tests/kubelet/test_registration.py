"""Registration of plugins: what the kubelet asks, what it refuses and with which words, and when it forgets them."""

import os
import shutil
import stat
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from conformance.verdict import WaitTimeout

from .conftest import FAST
from .fake_plugin import FakePlugin
from .world import DRIVER, World


def test_a_plugin_is_registered(world: World) -> None:
    plugin = world.plugin()
    [registration] = world.kubelet.wait_registered(DRIVER)
    assert registration.endpoint == str(plugin.endpoint_socket)
    assert registration.socket == plugin.registration_socket
    assert plugin.notified == [(True, "")]


def test_a_plugin_that_was_there_before_the_kubelet(world: World) -> None:
    world.kubelet.stop()
    plugin = world.plugin()
    assert world.kubelet.registrations(DRIVER) == ()
    world.kubelet.start()
    world.kubelet.wait_registered(DRIVER)
    assert plugin.notified == [(True, "")]


def test_a_socket_in_a_folder_made_later(world: World) -> None:
    plugin = FakePlugin(world.folder, world.kubelet.registry_dir / "below" / "deeper")
    world.plugins.append(plugin)
    plugin.start()
    assert world.kubelet.wait_registered(DRIVER)[0].socket == plugin.registration_socket


def test_no_endpoint_means_the_registration_socket(world: World) -> None:
    plugin = world.plugin(endpoint="")
    assert world.kubelet.wait_registered(DRIVER)[0].endpoint == str(plugin.registration_socket)


@pytest.mark.parametrize(
    ("info", "error"),
    [
        (
            {"type": "CSIPlugin2"},
            "RegisterPlugin error -- no handler registered for plugin type: CSIPlugin2 at socket {socket}",
        ),
        (
            {"supported_versions": []},
            "RegisterPlugin error -- plugin validation failed with err: invalid supported gRPC versions of DRA driver "
            "plugin gpu.example.com at endpoint {endpoint}: empty list of supported gRPC services "
            "(aka supported versions)",
        ),
        (
            {"supported_versions": ["v1", "1.0.0"]},
            "RegisterPlugin error -- plugin validation failed with err: invalid supported gRPC versions of DRA driver "
            'plugin gpu.example.com at endpoint {endpoint}: none of services supported by the plugin (["v1" "1.0.0"]) '
            'are supported by the kubelet (["v1.DRAPlugin" "v1beta1.DRAPlugin"])',
        ),
    ],
)
def test_refused(world: World, info: dict[str, Any], error: str) -> None:
    plugin = world.plugin(**info)
    plugin.wait(lambda: len(plugin.notified) > 1)
    text = error.format(socket=plugin.registration_socket, endpoint=plugin.endpoint_socket)
    assert plugin.notified[:2] == [(False, text)] * 2, "refused again after a back-off"
    assert world.kubelet.registrations(DRIVER) == []


def test_refused_until_it_is_right(world: World) -> None:
    plugin = world.plugin(type="wrong")
    plugin.wait(lambda: bool(plugin.notified))
    plugin.info["type"] = "DRAPlugin"
    world.kubelet.wait_registered(DRIVER)


def test_an_endpoint_serves_one_registration(world: World) -> None:
    first = world.registered()
    second = world.plugin(suffix="-2", endpoint=str(first.endpoint_socket))
    second.wait(lambda: bool(second.notified))
    assert second.notified[0] == (
        False,
        f"RegisterPlugin error -- plugin registration failed with err: "
        f"endpoint {first.endpoint_socket} already registered for DRA driver plugin {DRIVER}",
    )


def test_a_failing_notification_undoes_the_registration(world: World) -> None:
    world.kubelet.stop()
    plugin = world.plugin()
    plugin.notify_fails = True
    world.kubelet.start()
    event = world.happened("register_failed")
    assert "failed to send registration status at socket" in event["details"]
    assert "code = Internal desc = no thanks" in event["details"]
    assert world.kubelet.registrations(DRIVER) == []
    plugin.notify_fails = False
    world.kubelet.wait_registered(DRIVER)


def test_get_info_has_one_second(world: World) -> None:
    world.kubelet.stop()
    plugin = world.plugin()
    plugin.hold = threading.Event()
    world.kubelet.start()
    event = world.happened("register_failed")
    assert "GetInfo" in event["details"]
    assert event["details"].endswith("rpc error: code = DeadlineExceeded desc = context deadline exceeded")
    assert plugin.notified == [], "the plugin is not told"
    plugin.hold.set()
    world.kubelet.wait_registered(DRIVER)


@pytest.mark.parametrize(
    ("versions", "chosen"),
    [
        (["v1.DRAPlugin", "v1beta1.DRAPlugin"], "v1.DRAPlugin"),
        (["v2.DRAPlugin", "v1beta1.DRAPlugin", "v1.DRAPlugin"], "v1beta1.DRAPlugin"),
    ],
)
def test_the_first_known_version_in_the_plugins_list_is_used(world: World, versions: list[str], chosen: str) -> None:
    world.plugin(supported_versions=versions)
    world.kubelet.wait_registered(DRIVER)
    answer = world.kubelet.prepare(world.claim("c"))
    assert answer.error == ""
    call = world.history.last("rpc", lambda event: event["method"] == "NodePrepareResources")
    assert call is not None
    assert call["version"] == chosen


def test_removal_of_the_socket_deregisters(world: World) -> None:
    plugin = world.registered()
    plugin.close(plugin.registration_socket)
    world.kubelet.wait_registered(DRIVER, count=0)
    answer = world.kubelet.prepare(world.claim("c"), driver=DRIVER)
    assert answer.details == "DRA driver gpu.example.com is not registered"


def test_a_lost_connection_does_not_deregister(world: World) -> None:
    plugin = world.registered()
    plugin.close(plugin.endpoint_socket)
    world.kubelet.wait_connected(DRIVER, connected=False)
    assert len(world.kubelet.registrations(DRIVER)) == 1
    plugin.serve_endpoint()
    world.kubelet.wait_connected(DRIVER)
    assert world.kubelet.prepare(world.claim("c")).error == ""


def test_a_socket_made_anew_is_registered_anew(world: World) -> None:
    plugin = world.registered()
    since = len(world.history)
    plugin.close(plugin.registration_socket)
    plugin.serve_registration()
    world.happened("registered", since=since)
    assert plugin.notified == [(True, "")] * 2


def test_renaming_a_socket_away_is_not_noticed_and_into_place_is(world: World) -> None:
    plugin = world.registered()
    hidden = plugin.registration_socket.with_name(".hidden")
    plugin.registration_socket.rename(hidden)
    since = len(world.history)
    hidden.rename(plugin.registration_socket)
    world.happened("registered", since=since)
    actions = [e["action"] for e in world.history.events("kubelet", since=since) if "register" in e["action"]]
    assert actions == ["deregistered", "registered"]


def test_what_is_already_there_is_looked_into(world: World, run_dir: Path) -> None:
    """Also a link to a socket, and a folder whose name begins with a dot; not a link to a folder."""
    world.kubelet.stop()
    registry = world.kubelet.registry_dir
    hidden, linked, far = (
        FakePlugin(world.folder, folder, f"{folder.name.strip('.')}.example.com", suffix).start()
        for folder, suffix in ((registry / ".hidden", "-1"), (run_dir / "elsewhere", "-2"), (run_dir / "far", "-3"))
    )
    world.plugins += [hidden, linked, far]
    (registry / "link.sock").symlink_to(linked.registration_socket)
    (registry / "folder").symlink_to(run_dir / "far")
    world.kubelet.start()
    assert world.kubelet.wait_registered("hidden.example.com")[0].socket == hidden.registration_socket
    assert world.kubelet.wait_registered("elsewhere.example.com")[0].socket == registry / "link.sock"
    with pytest.raises(WaitTimeout):
        world.kubelet.wait_registered("far.example.com", timeout=0.1)


def test_a_hidden_folder_that_appears_later_is_not(world: World) -> None:
    world.plugins.append(FakePlugin(world.folder, world.kubelet.registry_dir / ".later", "later.example.com").start())
    world.registered()
    with pytest.raises(WaitTimeout):
        world.kubelet.wait_registered("later.example.com", timeout=0.1)


def test_back_off_belongs_to_the_path(run_dir: Path) -> None:
    world = World(run_dir, replace(FAST, register_backoff=60, register_backoff_max=60))
    world.kubelet.start()
    try:
        plugin = world.plugin(type="wrong")
        world.happened("register_failed")
        plugin.info["type"] = "DRAPlugin"
        plugin.close(plugin.registration_socket)
        plugin.serve_registration()
        with pytest.raises(WaitTimeout):
            world.kubelet.wait_registered(DRIVER, timeout=0.3)
        fresh = world.plugin(suffix="-fresh", endpoint=str(plugin.endpoint_socket))
        assert world.kubelet.wait_registered(DRIVER)[0].socket == fresh.registration_socket
    finally:
        world.stop()


def test_a_refusal_is_told_until_the_plugin_hears_it(world: World) -> None:
    world.kubelet.stop()
    plugin = world.plugin(type="wrong")
    plugin.notify_fails = True
    world.kubelet.start()
    event = world.happened("register_failed")
    assert event["details"].startswith("RegisterPlugin error -- failed to send error at socket")
    plugin.wait(lambda: len(plugin.notified) > 1)


def _dot(world: World) -> None:
    world.plugins.append(FakePlugin(world.folder, world.kubelet.registry_dir, ".dot.example.com").start())


def _file(world: World) -> None:
    (world.kubelet.registry_dir / "file.sock").write_text("no socket")


def _dangling_link(world: World) -> None:
    (world.kubelet.registry_dir / "link.sock").symlink_to("link.sock")


def _pipe(world: World) -> None:
    os.mkfifo(world.kubelet.registry_dir / "pipe.sock")


@pytest.mark.parametrize("make", [_dot, _file, _dangling_link, _pipe])
def test_what_is_no_plugin_socket_is_ignored(world: World, make: Callable[[World], None]) -> None:
    make(world)
    world.registered()
    instances = {event["instance"] for event in world.history.events("rpc", lambda e: e["method"] == "GetInfo")}
    assert instances == {str(world.plugins[-1].registration_socket)}


def test_a_loop_of_links_is_survived(world: World) -> None:
    (world.kubelet.registry_dir / "loop").symlink_to(".")
    world.registered()


def test_the_newest_connected_instance_is_called(world: World) -> None:
    old, new = world.registered(), world.registered(suffix="-new")
    assert [r.endpoint for r in world.kubelet.registrations(DRIVER)] == [
        str(old.endpoint_socket),
        str(new.endpoint_socket),
    ]
    world.kubelet.wait_instance(DRIVER, str(new.endpoint_socket))
    world.kubelet.prepare(world.claim("c1"))
    new.close(new.endpoint_socket)
    assert [uids for method, uids in new.calls if method == "NodePrepareResources"] == [["uid-c1"]]
    world.kubelet.wait_instance(DRIVER, str(old.endpoint_socket))
    world.kubelet.prepare(world.claim("c2"))
    assert [uids for method, uids in old.calls if method == "NodePrepareResources"] == [["uid-c2"]]


def test_the_newest_is_called_when_none_is_connected(world: World) -> None:
    old, new = world.registered(), world.registered(suffix="-new")
    for plugin in (new, old):
        plugin.close(plugin.endpoint_socket)
    world.kubelet.wait_connected(DRIVER, connected=False)
    world.kubelet.wait_instance(DRIVER, str(new.endpoint_socket))


def test_folders_and_who_may_use_them(world: World) -> None:
    folders = (world.kubelet.registry_dir, world.kubelet.plugins_dir, world.kubelet.pod_resources_socket.parent)
    assert [stat.S_IMODE(folder.stat().st_mode) for folder in folders] == [0o750] * 3


def test_waiting_in_vain_says_what_was_seen(world: World) -> None:
    plugin = world.plugin(type="wrong")
    plugin.wait(lambda: len(plugin.notified) > 1)
    with pytest.raises(WaitTimeout, match="seen instead: 0; last failure: RegisterPlugin error -- no handler"):
        world.kubelet.wait_registered(DRIVER, timeout=0.05)


def test_deleting_the_registry_folder_loses_the_watch(world: World) -> None:
    world.registered()
    shutil.rmtree(world.kubelet.registry_dir)
    world.kubelet.wait_registered(DRIVER, count=0)
    world.plugin(suffix="-2")
    with pytest.raises(WaitTimeout):
        world.kubelet.wait_registered(DRIVER, timeout=0.2)
    world.kubelet.restart()
    world.kubelet.wait_registered(DRIVER)


def test_registration_on_long_paths(world: World, tmp_path: Path) -> None:
    plugin = world.registered()
    long = tmp_path / ("long-" * 20) / "k"
    long.parent.mkdir()
    long.symlink_to(world.kubelet.registry_dir)
    socket = long / plugin.registration_socket.name
    assert len(str(socket)) > 107
    assert world.kubelet.direct.get_info(socket)["name"] == DRIVER
