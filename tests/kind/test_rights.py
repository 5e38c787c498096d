"""Rights that are taken away from a driver leave all others as they are."""

from typing import Any

import pytest

from conformance.cluster.kind.rights import reduced

READ, WRITE = ("get", "list", "watch"), ("create", "update", "patch", "delete")


def rule(resources: list[str], verbs: list[str]) -> dict[str, Any]:
    return {"apiGroups": ["resource.k8s.io"], "resources": resources, "verbs": verbs}


@pytest.mark.parametrize(
    ("given", "resource", "verbs", "left"),
    [
        (rule(["nodes"], ["get"]), "resourceclaims", READ, [rule(["nodes"], ["get"])]),
        (rule(["resourceclaims"], ["get"]), "resourceclaims", READ, []),
        (rule(["resourceslices"], ["get", "update"]), "resourceslices", WRITE, [rule(["resourceslices"], ["get"])]),
        (
            rule(["resourceclaims", "resourceslices"], ["get", "update"]),
            "resourceslices",
            WRITE,
            [rule(["resourceclaims"], ["get", "update"]), rule(["resourceslices"], ["get"])],
        ),
    ],
)
def test_what_is_left_of_a_rule(given: Any, resource: str, verbs: tuple[str, ...], left: list[Any]) -> None:
    assert reduced(given, resource, verbs) == left
