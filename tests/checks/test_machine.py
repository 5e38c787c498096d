"""Pools that a driver names after the machine are no fault where all nodes are that machine."""

import os

import pytest

from conformance.checks.publishing.machine import is_of_machine, machine_names

NAMES = ["worker.example.com", "worker", "3d1219c7c4c5404aaa1f6d2a48adfda4", "52:54:00:12:34:56"]


@pytest.mark.parametrize(
    "name",
    [
        "worker",
        "gpus-worker",
        "worker.example.com/left",
        "WORKER",
        "3d1219c7c4c5404aaa1f6d2a48adfda4",
        "52-54-00-12-34-56",
    ],
)
def test_named_after_the_machine(name: str) -> None:
    assert is_of_machine(name, NAMES)


@pytest.mark.parametrize("name", ["gpus", "coworkers", "work", "node-a", "worker2"])
def test_named_otherwise(name: str) -> None:
    assert not is_of_machine(name, NAMES)


def test_this_machine_is_known_by_its_host_name() -> None:
    assert os.uname().nodename in machine_names()
    assert "" not in machine_names()
