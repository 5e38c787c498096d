"""Questions that are answered and not kept: what may I do, and who am I."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from conformance.cluster.api_errors import ApiError
from conformance.cluster.embedded.apiserver.kinds import REVIEWS
from conformance.cluster.embedded.apiserver.request import RequestInfo
from conformance.cluster.embedded.apiserver.users import User
from conformance.cluster.local.rights import DRIVER_WRITES, READ
from conformance.cluster.resources import RESOURCES

Object = dict[str, Any]


def answer_review(user: User, info: RequestInfo, obj: Mapping[str, Any]) -> Object:
    """The review with its status filled in."""
    resource = REVIEWS[info.full_resource]
    head = {"kind": resource.kind, "apiVersion": resource.api_version, "metadata": {}}
    return {**head, "spec": dict(obj.get("spec") or {}), "status": _ANSWERS[resource.kind](user, obj.get("spec") or {})}


def _access(user: User, spec: Mapping[str, Any]) -> Object:
    asked = spec.get("resourceAttributes") or {}
    resource = RESOURCES.get(asked.get("resource", ""))
    if resource is None or user.trusted:
        return {"allowed": user.trusted or not asked}
    info = RequestInfo("", "", asked.get("verb", ""), resource=resource, subresource=asked.get("subresource", ""))
    try:
        user.authorize(replace(info, namespace=asked.get("namespace", ""), name=asked.get("name", "")))
    except ApiError:
        return {"allowed": False}
    return {"allowed": True}


def _rules(user: User, _spec: Mapping[str, Any]) -> Object:
    rules: list[Object] = [{"verbs": list(READ), "apiGroups": ["*"], "resources": ["*"]}]
    if user.trusted:
        rules = [{"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"]}]
    else:
        for name, verbs in DRIVER_WRITES.items():
            group = RESOURCES[name.partition("/")[0]].group
            rules.append({"verbs": list(verbs), "apiGroups": [group], "resources": [name]})
    others = [{"verbs": ["get"], "nonResourceURLs": ["*"]}]
    return {"resourceRules": rules, "nonResourceRules": others, "incomplete": False}


def _self(user: User, _spec: Mapping[str, Any]) -> Object:
    groups = ["system:masters"] if user.trusted else ["system:serviceaccounts"]
    return {"userInfo": {"username": user.username, "uid": user.username, "groups": [*groups, "system:authenticated"]}}


_ANSWERS: Mapping[str, Callable[[User, Mapping[str, Any]], Object]] = {
    "SelfSubjectAccessReview": _access,
    "SelfSubjectRulesReview": _rules,
    "SelfSubjectReview": _self,
}
