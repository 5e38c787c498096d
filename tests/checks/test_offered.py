"""Checks of optional features are left out where Kubernetes has the feature turned off."""

from types import SimpleNamespace
from typing import Any

import pytest

from conformance.checks.offered import need_feature
from conformance.verdict import NotRun


def cluster(version: str) -> Any:
    return SimpleNamespace(backend=SimpleNamespace(describe=lambda: {"kubernetes": version}))


def test_a_version_that_has_it_turned_off() -> None:
    said = r"1\.35\.4 has partitionable turned off, unless its feature gate DRAPartitionableDevices is set"
    with pytest.raises(NotRun, match=said):
        need_feature(cluster("v1.35.4"), "partitionable")


@pytest.mark.parametrize(("version", "feature"), [("1.37.2", "partitionable"), ("v1.34.4", "admin-access")])
def test_one_that_has_it(version: str, feature: str) -> None:
    need_feature(cluster(version), feature)
