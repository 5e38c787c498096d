"""Which writes of slices the policies among some manifests look at."""

from typing import Any

import pytest

from conformance.checks.security.guard import OPERATIONS, VERSIONS, unguarded

BINDING = {
    "kind": "ValidatingAdmissionPolicyBinding",
    "metadata": {"name": "b"},
    "spec": {"policyName": "p", "validationActions": ["Deny"]},
}


def policy(match_policy: str = "Equivalent", **changes: list[str]) -> dict[str, Any]:
    rule = {"apiGroups": ["resource.k8s.io"], "resources": ["resourceslices"], "apiVersions": ["v1"]}
    rules = [{**rule, "operations": list(OPERATIONS), **changes}]
    match = {"resourceRules": rules, "matchPolicy": match_policy}
    return {"kind": "ValidatingAdmissionPolicy", "metadata": {"name": "p"}, "spec": {"matchConstraints": match}}


def test_a_policy_that_is_in_force() -> None:
    assert unguarded([policy(), BINDING]) == []


@pytest.mark.parametrize("objects", [[], [policy()], [policy(resources=["resourceclaims"]), BINDING]])
def test_nothing_looks_at_slices(objects: list[dict[str, Any]]) -> None:
    assert len(unguarded(objects)) == len(OPERATIONS) * len(VERSIONS)


def test_versions_that_an_exact_policy_does_not_name() -> None:
    assert unguarded([policy("Exact"), BINDING])[:2] == ["CREATE in v1beta2", "CREATE in v1beta1"]


def test_an_operation_that_is_left_out() -> None:
    assert unguarded([policy(operations=["CREATE", "UPDATE"]), BINDING])[0] == "DELETE in v1"
