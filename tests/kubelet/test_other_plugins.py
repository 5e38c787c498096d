"""Plugins of other types in the registry folder, as a process that serves more than DRA has them."""

import pytest

from conformance.verdict import WaitTimeout

from .world import DRIVER, World

CSI = "validation failed for CSI Driver {name} at endpoint {endpoint}: kubernetes.io/csi: "


@pytest.mark.parametrize(
    ("kind", "name", "versions"),
    [("CSIPlugin", DRIVER, ["1.0.0"]), ("CSIPlugin", DRIVER, ["x", "v1.3.0"]), ("DevicePlugin", "a.b/c", ["v1beta1"])],
)
def test_they_are_told_that_they_are_registered(world: World, kind: str, name: str, versions: list[str]) -> None:
    plugin = world.plugin(type=kind, name=name, supported_versions=versions)
    world.happened("registered_other")
    assert plugin.notified == [(True, "")]
    with pytest.raises(WaitTimeout):
        world.kubelet.wait_registered(name, timeout=0.05)


def test_one_process_with_both(world: World) -> None:
    """Of the same name and at the same endpoint; the end of the one is not the end of the other."""
    dra = world.registered()
    csi = world.plugin(suffix="-csi", type="CSIPlugin", endpoint=str(dra.endpoint_socket), supported_versions=["1.0.0"])
    world.happened("registered_other")
    csi.close(csi.registration_socket)
    since = len(world.history)
    world.plugin(suffix="-2")
    world.happened("registered", since=since)
    assert [str(dra.endpoint_socket), str(world.plugins[-1].endpoint_socket)] == [
        registration.endpoint for registration in world.kubelet.registrations(DRIVER)
    ]


@pytest.mark.parametrize(
    ("kind", "versions", "text"),
    [
        (
            "CSIPlugin",
            ["v1.DRAPlugin"],
            CSI + 'ValidatePlugin for CSI driver "{name}" failed. None of the versions specified ["v1.DRAPlugin"] are '
            "supported. err=could not find a highest supported version from versions ([v1.DRAPlugin]) reported: "
            'illegal version string "v1.DRAPlugin"',
        ),
        (
            "CSIPlugin",
            [],
            CSI + 'ValidatePlugin for CSI driver "{name}" failed. Plugin returned an empty list for supported versions',
        ),
        (
            "DevicePlugin",
            ["v1.DRAPlugin", "v1"],
            "manager version, v1beta1, is not among plugin supported versions [v1.DRAPlugin v1]",
        ),
        ("DevicePlugin", ["v1beta1"], 'invalid name of device plugin socket: the ResourceName "{name}" is invalid'),
    ],
)
def test_they_are_validated(world: World, kind: str, versions: list[str], text: str) -> None:
    plugin = world.plugin(type=kind, supported_versions=versions)
    plugin.wait(lambda: bool(plugin.notified))
    said = text.format(name=DRIVER, endpoint=plugin.endpoint_socket)
    assert plugin.notified[0] == (False, f"RegisterPlugin error -- plugin validation failed with err: {said}")
