"""An API server that does not serve resource.k8s.io/v1, as it is seen by a driver."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from conformance.cluster.apirules import Refusal, Rule
from conformance.cluster.protocol import ApiFaults

Object = dict[str, Any]

GROUP, VERSION = "resource.k8s.io", "v1"


@contextmanager
def without_v1(faults: ApiFaults) -> Iterator[None]:
    """Inside the block the driver's API server knows resource.k8s.io in its older versions only."""
    missing = Refusal(404, "the server could not find the requested resource")
    with ExitStack() as ending:
        ending.enter_context(faults.rule(Rule(path=rf"^/apis/{GROUP}/{VERSION}(/|\?|$)", refusal=missing)))
        ending.enter_context(faults.rule(Rule(path=rf"^/apis(/{GROUP})?/?(\?|$)", change_answer=older)))
        yield


def older(document: Object) -> Object:
    """A document of discovery without the version: the group's, the list of all groups, or an entry of the new list."""
    if document.get("kind") == "APIGroupList":
        return {**document, "groups": [older({"kind": "APIGroup", **group}) for group in document["groups"]]}
    named = document.get("name") or (document.get("metadata") or {}).get("name")
    if named != GROUP or "versions" not in document:
        return document
    versions = [entry for entry in document["versions"] if entry["version"] != VERSION]
    preferred = {"preferredVersion": versions[0]} if "preferredVersion" in document else {}
    return {**document, "versions": versions, **preferred}
