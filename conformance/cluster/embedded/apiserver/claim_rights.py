"""Who may change what in the status of a claim (DRAResourceClaimGranularStatusAuthorization).

Source: pkg/registry/resource/utils.go.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from conformance.cluster.embedded.apiserver.asking import ASKING, Asking
from conformance.cluster.embedded.apiserver.field_errors import FieldError, forbidden
from conformance.cluster.embedded.apiserver.objects import dig
from conformance.cluster.embedded.apiserver.validation_claim_declared import device_key

Errors = Iterator[FieldError]
Row = Mapping[str, Any]

_BINDING, _DRIVER = "resourceclaims/binding", "resourceclaims/driver"


def refused(new: Row, old: Row, namespace: str) -> Errors:
    """What the user that asks may not change in a status."""
    asking = ASKING.get()
    if asking is None or asking.user.trusted:
        return
    bound = any(new.get(key) != old.get(key) for key in ("allocation", "reservedFor"))
    if bound and not asking.user.may(asking.verb, _BINDING):
        what = f'resource="{_BINDING}", verb="{asking.verb}"'
        why = _denied(asking, asking.verb, _BINDING, "", "")
        text = f"changing status.allocation or status.reservedFor requires {what} permission: {why}"
        yield forbidden("status.allocation", text)
    if "allocation" in new:
        yield from _reports(asking, new, old, namespace)


def _reports(asking: Asking, new: Row, old: Row, namespace: str) -> Errors:
    verbs = [f"arbitrary-node:{asking.verb}"]
    if asking.user.node and asking.user.node == _node(new["allocation"]):
        verbs.insert(0, f"associated-node:{asking.verb}")
    for driver in sorted(_drivers(new, old)):
        if not any(asking.user.may(verb, _DRIVER) for verb in verbs):
            what = f'resource="{_DRIVER}", verb="[{" ".join(verbs)}]"'
            why = _denied(asking, verbs[0], _DRIVER, driver, namespace)
            yield forbidden("status.devices", f"changing status.devices requires {what} permission: {why}")


def _drivers(new: Row, old: Row) -> set[str]:
    """Drivers of rows that were added, changed or removed."""
    after, before = ({device_key(row): row for row in status.get("devices", [])} for status in (new, old))
    changed = [key for key in {*after, *before} if after.get(key) != before.get(key)]
    return {str(key[0]) for key in changed}


def _node(allocation: Row) -> str:
    """The node that an allocation is for, "" unless it is for one named node only."""
    terms = dig(allocation, "nodeSelector.nodeSelectorTerms") or []
    if len(terms) != 1 or terms[0].get("matchExpressions"):
        return ""
    match terms[0].get("matchFields"):
        case [{"key": "metadata.name", "operator": "In", "values": [str(name)]}]:
            return name
    return ""


def _denied(asking: Asking, verb: str, resource: str, name: str, namespace: str) -> str:
    subject = f'resourceclaims.resource.k8s.io "{name}"' if name else "resourceclaims.resource.k8s.io"
    where = f'in the namespace "{namespace}"' if namespace else "at the cluster scope"
    user = f'User "{asking.user.username}" cannot {verb} resource "{resource}"'
    return f'{subject} is forbidden: {user} in API group "resource.k8s.io" {where}'
