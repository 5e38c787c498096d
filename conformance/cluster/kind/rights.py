"""Taking a right of the driver away for a while: to read claims, or to write what it publishes."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager

from conformance.cluster.api import Api, Object
from conformance.cluster.kind.manifests import Applier
from conformance.cluster.wait import wait_for
from conformance.verdict import NotRun

_READ = ("get", "list", "watch")
_WRITE = ("create", "update", "patch", "delete", "deletecollection")
_WITHIN = 15.0


def without_claims(api: Api, objects: Sequence[Object]) -> AbstractContextManager[None]:
    """Inside the block no role among the driver's objects lets it read claims. Raises NotRun where none does now."""
    return _without(api, objects, "resourceclaims", _READ, "get")


def without_writes(api: Api, objects: Sequence[Object], resource: str) -> AbstractContextManager[None]:
    """Inside the block none lets it write a resource, such as resourceclaims/status. Raises NotRun as above."""
    verbs = {verb for _, rule in _rules(objects, resource) for verb in rule.get("verbs", ())}
    return _without(api, objects, resource, _WRITE, "patch" if "patch" in verbs else "update")


@contextmanager
def _without(api: Api, objects: Sequence[Object], resource: str, verbs: Sequence[str], asked: str) -> Iterator[None]:
    applier = Applier(api)
    roles = {role["metadata"]["name"]: role for role, _ in _rules(objects, resource)}.values()
    users = [subject for obj in objects if obj["kind"] == "ClusterRoleBinding" for subject in obj.get("subjects", ())]
    if not roles or not users:
        raise NotRun(f"no role in the driver's manifests lets it {asked} {resource}, so that cannot be taken away")
    what = f"the right to {asked} {resource}"
    for role in roles:
        applier.patch(role, {"rules": [part for rule in role["rules"] for part in reduced(rule, resource, verbs)]})
    try:
        wait_for(lambda: not _may(api, users[0], resource, asked), f"{what} to be gone", timeout=_WITHIN)
        yield
    finally:
        for role in roles:
            applier.patch(role, {"rules": role["rules"]})
        wait_for(lambda: _may(api, users[0], resource, asked), f"{what} to be back", timeout=_WITHIN)


def _rules(objects: Sequence[Object], resource: str) -> Iterator[tuple[Object, Object]]:
    """Roles of the driver, each with a rule of it that is about a resource."""
    for obj in objects:
        for rule in (obj.get("rules") or ()) if obj["kind"] in ("ClusterRole", "Role") else ():
            if resource in rule.get("resources", ()):
                yield obj, rule


def reduced(rule: Object, resource: str, verbs: Sequence[str]) -> list[Object]:
    """The rules that say the same without these verbs on a resource."""
    if resource not in rule.get("resources", ()):
        return [rule]
    others = [name for name in rule["resources"] if name != resource]
    left = [verb for verb in rule["verbs"] if verb not in verbs]
    parts = [{**rule, "resources": others}] if others else []
    return parts + ([{**rule, "resources": [resource], "verbs": left}] if left else [])


def _may(api: Api, account: Object, resource: str, verb: str) -> bool:
    user = f"system:serviceaccount:{account.get('namespace', 'default')}:{account['name']}"
    plural, _, subresource = resource.partition("/")
    attributes = {"group": "resource.k8s.io", "resource": plural, "verb": verb, "namespace": "default", "name": "any"}
    review = {
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SubjectAccessReview",
        "spec": {"user": user, "resourceAttributes": {**attributes, "subresource": subresource}},
    }
    answer = api.request("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", body=review)
    return bool(answer["status"].get("allowed"))
