"""Policies among a driver's manifests that look at each write of a ResourceSlice."""

from collections.abc import Collection, Sequence
from typing import Any

Object = dict[str, Any]

GROUP, RESOURCE = "resource.k8s.io", "resourceslices"
OPERATIONS = ("CREATE", "UPDATE", "DELETE")
VERSIONS = ("v1", "v1beta2", "v1beta1")


def unguarded(objects: Sequence[Object]) -> list[str]:
    """Writes of slices, as operation and version, that no policy looks at which denies what it finds."""
    rules = [rule for obj in objects for rule in _rules(obj, objects)]
    return [
        f"{operation} in {version}"
        for operation in OPERATIONS
        for version in VERSIONS
        if not any(_looks_at(rule, exact, operation, version) for rule, exact in rules)
    ]


def _rules(obj: Object, objects: Sequence[Object]) -> list[tuple[Object, bool]]:
    """The rules of a policy that is in force, or of a webhook, each with whether it is for the versions named alone."""
    if obj["kind"] == "ValidatingWebhookConfiguration":
        hooks = obj.get("webhooks") or ()
        return [(rule, hook.get("matchPolicy") == "Exact") for hook in hooks for rule in hook.get("rules") or ()]
    if obj["kind"] != "ValidatingAdmissionPolicy" or obj["metadata"]["name"] not in _denying(objects):
        return []
    match = obj["spec"].get("matchConstraints") or {}
    return [(rule, match.get("matchPolicy") == "Exact") for rule in match.get("resourceRules") or ()]


def _denying(objects: Sequence[Object]) -> set[str]:
    bindings = [obj["spec"] for obj in objects if obj["kind"] == "ValidatingAdmissionPolicyBinding"]
    return {str(spec["policyName"]) for spec in bindings if "Deny" in (spec.get("validationActions") or ())}


def _looks_at(rule: Object, exact: bool, operation: str, version: str) -> bool:
    def named(part: str, names: Collection[str]) -> bool:
        return bool({"*", *names} & set(rule.get(part) or ()))

    versions = (version,) if exact else VERSIONS  # a request in another version is converted, and then looked at
    return (
        named("apiGroups", [GROUP])
        and named("resources", [RESOURCE])
        and named("operations", [operation])
        and named("apiVersions", versions)
    )
