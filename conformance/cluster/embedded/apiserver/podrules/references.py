"""References from environments and files to fields of the pod and to resources of its containers."""

import re
from collections.abc import Sequence

from conformance.cluster.embedded.apiserver import formats
from conformance.cluster.embedded.apiserver.field_errors import FieldError, invalid, not_supported, required
from conformance.cluster.embedded.apiserver.podrules.words import Errors, Row
from conformance.cluster.embedded.apiserver.quantities import canonical, value_of

VARIABLE_FIELDS = (
    *("metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName"),
    *("status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"),
)
FILE_FIELDS = ("metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid")
_KNOWN = {
    *(*VARIABLE_FIELDS, *FILE_FIELDS),
    *("spec.restartPolicy", "spec.schedulerName", "status.phase", "spec.host"),
}
_SUBSCRIPTED = ("metadata.annotations", "metadata.labels")
_SUBSCRIPT = re.compile(r"(.*)\['(.*)'\]", re.DOTALL)
_RESOURCES = (
    *("limits.cpu", "limits.ephemeral-storage", "limits.memory"),
    *("requests.cpu", "requests.ephemeral-storage", "requests.memory"),
)
_PAGES = ("limits.hugepages-", "requests.hugepages-")
_CPU_DIVISORS = ("1m", "1")
_AMOUNTS = {"1", *(f"1{letter}" for letter in "kMGTPE"), *(f"1{letter}i" for letter in "KMGTPE")}


def field_reference(row: Row, allowed: Sequence[str], field: str) -> Errors:
    """An ObjectFieldSelector."""
    for key in ("apiVersion", "fieldPath"):
        if not row.get(key):
            yield required(f"{field}.{key}")
            return
    path = row["fieldPath"]
    subscript = _SUBSCRIPT.fullmatch(path)
    if row["apiVersion"] != "v1":
        yield _not_converted(field, path, f"unsupported pod version: {row['apiVersion']}")
    elif subscript is not None:
        if subscript[1] not in _SUBSCRIPTED:
            yield _not_converted(field, path, f"field label does not support subscript: {path}")
            return
        key = subscript[2].lower() if subscript[1] == "metadata.annotations" else subscript[2]
        yield from formats.each(formats.label_key(key), field, key)
    elif path not in _KNOWN:
        yield _not_converted(field, path, f"field label not supported: {path}")
    elif (path := "spec.nodeName" if path == "spec.host" else path) not in allowed:
        yield not_supported(f"{field}.fieldPath", path, sorted(allowed))


def _not_converted(field: str, path: str, why: str) -> FieldError:
    return invalid(f"{field}.fieldPath", path, f"error converting fieldPath: {why}")


def resource_reference(row: Row, field: str, *, named: bool = False) -> Errors:
    """A ResourceFieldSelector. `named`: it has to say of which container."""
    name = row.get("resource", "")
    if named and not row.get("containerName"):
        yield required(f"{field}.containerName")
    elif not name:
        yield required(f"{field}.resource")
    elif name not in _RESOURCES and not name.startswith(_PAGES):
        yield not_supported(f"{field}.resource", name, _RESOURCES)
    divisor = str(row.get("divisor", "0"))
    if not value_of(divisor):
        return
    cpu = name in ("limits.cpu", "requests.cpu")
    if (cpu or name in _RESOURCES or name.startswith(_PAGES)) and canonical(divisor) not in (
        _CPU_DIVISORS if cpu else _AMOUNTS
    ):
        yield invalid(f"{field}.divisor", name, _divisor_text(name))


def _divisor_text(name: str) -> str:
    if name.endswith(".cpu"):
        return "only divisor's values 1m and 1 are supported with the cpu resource"
    what = "hugepages" if "hugepages" in name else name.partition(".")[2].replace("ephemeral", "local ephemeral", 1)
    values = "1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei"
    return f"only divisor's values {values} are supported with the {what.replace('-', ' ')} resource"
