"""Rules of roles that give away more than any driver needs."""

from collections.abc import Iterator
from typing import Any

Object = dict[str, Any]

_ALL = "*"
SECRETS = ("secrets", "serviceaccounts/token")
INTO_PODS = ("pods/exec", "pods/attach", "pods/portforward", "pods/ephemeralcontainers", "nodes/proxy")
ABOVE = ("escalate", "bind", "impersonate")
ROLES = ("ClusterRole", "Role")


def too_much(objects: list[Object]) -> list[str]:
    """What of the roles among some objects is too much, in words: one for each role and right, sorted."""
    roles = [obj for obj in objects if obj["kind"] in ROLES]
    found = {
        f"{role['kind']} {role['metadata']['name']}: {right}"
        for role in roles
        for rule in role.get("rules") or ()
        for right in _excesses(rule)
    }
    return sorted(found)


def _excesses(rule: Object) -> Iterator[str]:
    for part in ("apiGroups", "resources", "verbs", "nonResourceURLs"):
        if _ALL in (rule.get(part) or ()):
            yield f"all {part}"
    resources, verbs = set(rule.get("resources") or ()), set(rule.get("verbs") or ())
    yield from sorted(resources & {*SECRETS, *INTO_PODS})
    yield from (f"verb {verb}" for verb in sorted(verbs & set(ABOVE)))
