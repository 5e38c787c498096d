"""Which rights are too much for a driver."""

from typing import Any

import pytest

from conformance.checks.security.rules import too_much


def role(**rule: list[str]) -> dict[str, Any]:
    return {"kind": "ClusterRole", "metadata": {"name": "driver"}, "rules": [rule]}


def test_what_a_driver_needs() -> None:
    slices = role(apiGroups=["resource.k8s.io"], resources=["resourceslices"], verbs=["get", "list", "create"])
    assert too_much([slices, {"kind": "ServiceAccount", "metadata": {"name": "driver"}}]) == []


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ({"apiGroups": [""], "resources": ["secrets"], "verbs": ["get"]}, "secrets"),
        ({"apiGroups": [""], "resources": ["pods/exec"], "verbs": ["create"]}, "pods/exec"),
        ({"apiGroups": [""], "resources": ["pods"], "verbs": ["*"]}, "all verbs"),
        ({"apiGroups": ["rbac.authorization.k8s.io"], "resources": ["roles"], "verbs": ["bind"]}, "verb bind"),
    ],
)
def test_what_it_does_not(rule: dict[str, list[str]], said: str) -> None:
    assert too_much([role(**rule)]) == [f"ClusterRole driver: {said}"]
