"""Many devices, on an API server that validates as Kubernetes does: all limits are kept, and little is written."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from conformance.cluster.embedded.apiserver import ApiServer
from conformance.history import Event, History
from fakegpu.__main__ import main as fakegpu
from reference_driver.plugin.quantity import amount

from .process import DRIVER, DriverProcess, eventually

SELECTOR = f"spec.driver={DRIVER},spec.nodeName=node-a"
MANY = 1000
Object = dict[str, Any]
Start = Callable[..., DriverProcess]


@pytest.fixture
def server(root: Path) -> Iterator[ApiServer]:
    made = ApiServer(root, History())
    made.start()
    made.store.create("nodes", {"metadata": {"name": "node-a"}})
    yield made
    made.stop()


@pytest.fixture
def start(server: ApiServer, root: Path) -> Iterator[Start]:
    started: list[DriverProcess] = []

    def run(*arguments: str) -> DriverProcess:
        started.append(DriverProcess(root, server.kubeconfig(root / "kubeconfig"), *arguments))
        return started[-1].wait_serving()

    yield run
    for process in started:
        process.kill()


def slices(server: ApiServer) -> list[Object]:
    items = server.api().list("resourceslices", field_selector=SELECTOR)["items"]
    return sorted(items, key=lambda obj: str(obj["metadata"]["name"]))


def devices(server: ApiServer) -> dict[str, Object]:
    return {device["name"]: device for obj in slices(server) for device in obj["spec"].get("devices", ())}


def test_sixteen_gpus_of_seven_parts_keep_all_limits(server: ApiServer, start: Start) -> None:
    start("--num-devices=16", "--partitions=7")
    eventually(lambda: len(slices(server)) == 4)
    specs = [obj["spec"] for obj in slices(server)]
    assert [(len(spec.get("sharedCounters", ())), len(spec.get("devices", ()))) for spec in specs] == [
        (8, 0),
        (8, 0),
        (0, 64),
        (0, 64),
    ]
    pools = [spec["pool"] for spec in specs]
    assert pools == [{"name": "node-a", "generation": 1, "resourceSliceCount": 4}] * 4
    has = {entry["name"]: entry["counters"] for spec in specs for entry in spec.get("sharedCounters", ())}
    used = dict.fromkeys(has, amount("0"))
    for name, device in devices(server).items():
        (use,) = device["consumesCounters"]
        assert set(use["counters"]) == set(has[use["counterSet"]])
        if "-partition-" in name:
            used[use["counterSet"]] += amount(use["counters"]["memory"]["value"])
            assert use["counters"]["memory"] == device["capacity"]["memory"]
    assert all(0 <= amount(has[name]["memory"]["value"]) - sum_ < amount("7Mi") for name, sum_ in used.items())


def is_write(event: Event) -> bool:
    return event["resource"] == "resourceslices" and event["verb"] in ("create", "update", "patch", "delete")


def writes(server: ApiServer, since: int) -> list[str]:
    """What was done to slices from some event of the history on."""
    return [str(event["verb"]) for event in server.history.events("request", is_write, since)]


def published(server: ApiServer, driver: DriverProcess, count: int) -> None:
    """Wait until all devices are."""
    eventually(lambda: '"slices published"' in driver.log.read_text(), timeout=30)
    assert len(devices(server)) == count


def after(server: ApiServer, root: Path, event: str, gpu: str, count: int) -> tuple[dict[str, Object], set[int]]:
    """The devices and generations when something that happened to one of `count` devices has been written."""
    since = len(server.history)
    assert fakegpu([str(root / "plugins" / DRIVER / "gpus.yaml"), event, gpu, f"--num-devices={count}"]) == 0
    assert server.history.wait("request", is_write, since=since, timeout=20)
    return devices(server), {obj["spec"]["pool"]["generation"] for obj in slices(server)}


def test_a_change_of_one_device_of_a_thousand_is_one_write(server: ApiServer, start: Start, root: Path) -> None:
    driver = start(f"--num-devices={MANY}")
    published(server, driver, MANY)
    assert writes(server, 0) == ["create"] * 16  # 64 each, so that any may get a taint where it is
    (line,) = (json.loads(line) for line in driver.log.read_text().splitlines() if '"slices published"' in line)
    sys.stderr.write(f"{MANY} devices published in {line['ms']} ms\n")
    since, names = len(server.history), [f"gpu-{index}" for index in range(MANY)]
    there, generations = after(server, root, "sicken", "gpu-500", MANY)
    assert ([name for name, device in there.items() if "taints" in device], generations) == (["gpu-500"], {1})
    there, generations = after(server, root, "recover", "gpu-500", MANY)
    assert ([name for name, device in there.items() if "taints" in device], generations) == ([], {1})
    there, generations = after(server, root, "remove", "gpu-500", MANY)
    assert (list(there), generations) == ([name for name in names if name != "gpu-500"], {1})
    there, generations = after(server, root, "add", "gpu-500", MANY)
    assert (list(there), generations) == (names, {1})
    assert writes(server, since) == ["update"] * 4


def test_a_start_with_a_device_less_leaves_the_others_where_they_are(
    server: ApiServer, start: Start, root: Path
) -> None:
    driver = start("--num-devices=200")
    published(server, driver, 200)
    after(server, root, "remove", "gpu-100", 200)
    driver.kill()
    since = len(server.history)
    start("--num-devices=200")
    there, _ = after(server, root, "sicken", "gpu-3", 200)
    assert ([name for name, device in there.items() if "taints" in device], len(there)) == (["gpu-3"], 199)
    assert writes(server, since) == ["update"]
