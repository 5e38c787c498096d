"""Taking the driver's right to read claims away for a while."""

import copy
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from conformance.cluster.api import Api, Object
from conformance.cluster.kind.manifests import Applier
from conformance.cluster.wait import wait_for
from conformance.verdict import NotRun

_CLAIMS = "resourceclaims"
_WITHIN = 15.0


@contextmanager
def without_claims(api: Api, objects: Sequence[Object]) -> Iterator[None]:
    """Inside the block no role among the driver's objects lets it read claims. Raises NotRun where none does now."""
    applier = Applier(api)
    roles = [obj for obj in objects if obj["kind"] in ("ClusterRole", "Role") and _reads_claims(obj)]
    users = [subject for obj in objects if obj["kind"] == "ClusterRoleBinding" for subject in obj.get("subjects", ())]
    if not roles or not users:
        raise NotRun("the driver's manifests have no role that lets it read claims, so that cannot be taken away")
    for role in roles:
        applier.patch(role, {"rules": [_reduced(rule) for rule in role["rules"]]})
    try:
        wait_for(lambda: not _may_read(api, users[0]), "the right to read claims to be gone", timeout=_WITHIN)
        yield
    finally:
        for role in roles:
            applier.patch(role, {"rules": role["rules"]})
        wait_for(lambda: _may_read(api, users[0]), "the right to read claims to be back", timeout=_WITHIN)


def _reads_claims(role: Object) -> bool:
    return any(_CLAIMS in rule.get("resources", ()) for rule in role.get("rules") or ())


def _reduced(rule: Object) -> Object:
    made = copy.deepcopy(rule)
    made["resources"] = [name for name in rule.get("resources", ()) if name != _CLAIMS] or ["nothing"]
    return made


def _may_read(api: Api, account: Object) -> bool:
    user = f"system:serviceaccount:{account.get('namespace', 'default')}:{account['name']}"
    attributes = {"group": "resource.k8s.io", "resource": _CLAIMS, "verb": "get", "namespace": "default", "name": "any"}
    review = {
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SubjectAccessReview",
        "spec": {"user": user, "resourceAttributes": attributes},
    }
    answer = api.request("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", body=review)
    return bool(answer["status"].get("allowed"))
