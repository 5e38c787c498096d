"""A node seen through an agent: a driver on real sockets is found, called, lost and found again."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conformance.cluster.answer import ClaimRef
from conformance.cluster.existing.installation import ExistingInstallation
from conformance.cluster.existing.instance import ExistingInstance
from conformance.cluster.existing.link import Link
from conformance.cluster.existing.node import ExistingNode
from conformance.cluster.kubelet.sockets import connected
from conformance.cluster.wait import wait_for
from conformance.history import History
from conformance.target import Target
from conformance.verdict import NotRun, WaitTimeout
from tests.existing.local_agent import ProcessTransport, local_agent
from tests.kubelet.fake_plugin import FakePlugin

DRIVER = "gpu.example.com"
CLAIM = ClaimRef("ns", "claim", "uid-1")
OBJECT = {"metadata": {"name": "node-a", "labels": {"kubernetes.io/hostname": "host-a"}}}


class Objects:
    """What the API server has of the driver: one slice, and no pod."""

    def __init__(self) -> None:
        pool = {"name": "node-a", "generation": 1, "resourceSliceCount": 1}
        self.slices = [{"spec": {"driver": DRIVER, "nodeName": "node-a", "pool": pool}}]

    def list(self, resource: str, *_: Any, **__: Any) -> dict[str, Any]:
        return {"items": self.slices if resource == "resourceslices" else []}


class Machine:
    """A node with its folders below one of this machine, and agents on it."""

    def __init__(self, folder: Path) -> None:
        self.kubelet = folder / "node" / "kubelet"
        self.plugin = FakePlugin(self.kubelet / "plugins" / DRIVER, self.kubelet / "plugins_registry", DRIVER)
        self.agents: list[ProcessTransport] = []
        self.objects = Objects()
        self.history = History()
        api: Any = self.objects
        self.node = ExistingNode(OBJECT, api, self.history, folder / "n0", self.agent, kubelet=str(self.kubelet))
        self.installation = ExistingInstallation(Target.load("reference"), self.node, api, self.history)

    def agent(self) -> Link:
        link, transport = local_agent()
        self.agents.append(transport)
        return link


@pytest.fixture
def machine(run_dir: Path) -> Iterator[Machine]:
    made = Machine(run_dir)
    made.plugin.start()
    made.node.start()
    yield made
    made.node.stop()
    made.plugin.stop()


def test_a_driver_is_found_and_called(machine: Machine) -> None:
    (registration,) = machine.node.wait_registered(DRIVER)
    assert registration.endpoint == machine.plugin.info["endpoint"]
    assert machine.node.get_info(registration.socket).name == DRIVER
    answer = machine.node.prepare(CLAIM, driver=DRIVER)
    assert (answer.error, answer.cdi_ids) == ("", ["example.com/gpu=uid-1"])
    assert machine.node.unprepare(CLAIM, driver=DRIVER, version="v1beta1").error == ""
    assert ("NodeUnprepareResources", ["uid-1"]) in machine.plugin.calls
    with connected(registration.socket):
        pass
    assert machine.node.get_info(registration.socket).error == ""


def test_a_driver_that_goes_is_lost_and_found_again(machine: Machine) -> None:
    machine.node.wait_registered(DRIVER)
    machine.plugin.stop()
    machine.node.wait_registered(DRIVER, count=0)
    machine.plugin.start()
    machine.node.wait_registered(DRIVER)
    assert machine.node.prepare(CLAIM, driver=DRIVER).error == ""


def test_a_new_agent_takes_the_place_of_one_that_was_lost(machine: Machine) -> None:
    machine.node.wait_registered(DRIVER)
    machine.agents[0].process.kill()
    wait_for(lambda: len(machine.agents) > 1, "a new agent", timeout=20)
    machine.node.wait_registered(DRIVER)
    assert machine.node.prepare(CLAIM, driver=DRIVER).error == ""


def test_paths_lead_both_ways(machine: Machine) -> None:
    seen = machine.node.host_path("unix:/run/driver.sock")
    assert seen == machine.node.root / "run" / "driver.sock"
    assert machine.node.host_path(str(seen)) == seen
    assert machine.node.hostname == "host-a"


def test_the_one_who_listens_is_the_instance(machine: Machine) -> None:
    instance = machine.installation.start()
    machine.installation.wait_ready(timeout=20)
    assert isinstance(instance, ExistingInstance)
    assert (instance.pid, instance.alive, instance.uid) == (os.getpid(), True, "")
    assert machine.installation.start() is instance
    with pytest.raises(NotRun, match="in no pod, so nobody is known to start it again"):
        instance.kill()
    with pytest.raises(NotRun, match="so it is not told to end"):
        instance.terminate()


def test_a_driver_that_was_there_before_is_left_as_it_is(machine: Machine) -> None:
    for refused in (machine.installation.away, machine.installation.roll_out):
        with pytest.raises(NotRun, match=f"driver {DRIVER} was on this cluster before the suite, so it is not"):
            refused()
    with pytest.raises(NotRun, match="node node-a"):
        machine.node.reboot(machine.installation)


def test_what_is_missing_is_told(machine: Machine) -> None:
    machine.installation.start()
    machine.installation.wait_ready(timeout=20)
    machine.objects.slices.clear()
    with pytest.raises(WaitTimeout, match=f"driver {DRIVER} has published no ResourceSlice for node node-a"):
        machine.installation.wait_ready(timeout=0)


def test_a_driver_without_a_plugin_on_nodes_is_known_by_its_slices(machine: Machine) -> None:
    driver = Target.load("reference").file.drivers[0].model_copy(update={"node_plugin": False})
    target = Target.load("reference")
    target.file.drivers[0] = driver
    installation = ExistingInstallation(target, machine.node, machine.installation._api, machine.history)
    assert installation.start().alive
    installation.wait_ready(timeout=0)
    with pytest.raises(NotRun, match="has no plugin on the node"):
        installation.restart()
