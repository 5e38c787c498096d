"""Security contexts of pods and containers."""

import re

from conformance.cluster.embedded.apiserver.field_errors import (
    duplicate,
    forbidden,
    invalid,
    not_supported,
    required,
    too_long,
)
from conformance.cluster.embedded.apiserver.podrules.words import MOST_INT32, Errors, Row, between, descending, numbered

_PROFILES = ("Localhost", "RuntimeDefault", "Unconfined")
_CHOICES = {
    "fsGroupChangePolicy": ("Always", "OnRootMismatch"),
    "supplementalGroupsPolicy": ("Merge", "Strict"),
    "seLinuxChangePolicy": ("MountOption", "Recursive"),
}
_SEGMENT = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?"
_SYSCTL = re.compile(rf"({_SEGMENT}[\./])*{_SEGMENT}")
_SYSCTL_BYTES, _PROFILE_BYTES = 253, 4095
_IPC = ("kernel.shm", "kernel.msg", "kernel.sem", "fs.mqueue.")


def of_pod(spec: Row) -> Errors:
    """The pod's own."""
    context, field = spec.get("securityContext") or {}, "spec.securityContext"
    for key in ("fsGroup", "runAsUser", "runAsGroup"):
        yield from numbered(context, key, field)
    for index, group in enumerate(context.get("supplementalGroups", [])):
        if not 0 <= group <= MOST_INT32:
            yield invalid(f"{field}.supplementalGroups[{index}]", group, between(0, MOST_INT32))
    yield from _sysctls(spec, context.get("sysctls", []), f"{field}.sysctls")
    for key, choices in _CHOICES.items():
        if key in context and context[key] not in choices:
            yield not_supported(f"{field}.{key}", context[key], choices)
    yield from _profiles(context, field)


def of_container(context: Row, field: str, *, host_users: bool) -> Errors:
    """A container's. `host_users`: its users are the node's."""
    for key in ("runAsUser", "runAsGroup"):
        yield from numbered(context, key, field)
    if "procMount" in context:
        if context["procMount"] not in ("Default", "Unmasked"):
            yield not_supported(f"{field}.procMount", context["procMount"], ("Default", "Unmasked"))
        if host_users and context["procMount"] == "Unmasked":
            yield invalid(f"{field}.procMount", "Unmasked", "`hostUsers` must be false to use `Unmasked`")
    if context.get("allowPrivilegeEscalation") is False:
        cannot = "cannot set `allowPrivilegeEscalation` to false and"
        if context.get("privileged"):
            yield invalid(field, dict(context), f"{cannot} `privileged` to true")
        for name in (context.get("capabilities") or {}).get("add", []):
            if name == "CAP_SYS_ADMIN":
                yield invalid(field, dict(context), f"{cannot} `capabilities.Add` CAP_SYS_ADMIN")
    yield from _profiles(context, field)


def _profiles(context: Row, field: str) -> Errors:
    if "seccompProfile" in context:
        yield from _seccomp(context["seccompProfile"], f"{field}.seccompProfile")
    if "appArmorProfile" in context:
        yield from _app_armor(context["appArmorProfile"], f"{field}.appArmorProfile")


def _type(kind: str, field: str, name: str) -> Errors:
    if not kind:
        yield required(f"{field}.type", f"type is required when {name} is set")
    elif kind not in _PROFILES:
        yield not_supported(f"{field}.type", kind, _PROFILES)


def _seccomp(row: Row, field: str) -> Errors:
    kind, place = row.get("type", ""), f"{field}.localhostProfile"
    yield from _type(kind, field, "seccompProfile")
    if kind == "Localhost" and "localhostProfile" not in row:
        yield required(place, "must be set when seccomp type is Localhost")
    elif kind == "Localhost":
        yield from descending(row["localhostProfile"], place)
    elif "localhostProfile" in row:
        yield invalid(place, dict(row), "can only be set when seccomp type is Localhost")


def _app_armor(row: Row, field: str) -> Errors:
    kind, place, name = row.get("type", ""), f"{field}.localhostProfile", row.get("localhostProfile")
    if kind != "Localhost":
        if kind in _PROFILES and name is not None:
            yield invalid(place, name, "can only be set when AppArmor type is Localhost")
        yield from _type(kind, field, "appArmorProfile")
    elif name is None or not name:
        yield required(place, "must be set when AppArmor type is Localhost")
    elif name != name.strip():
        yield invalid(place, name, "must not be padded with whitespace")
    elif len(name.encode()) > _PROFILE_BYTES:
        yield too_long(place, _PROFILE_BYTES)


def _sysctls(spec: Row, rows: list[Row], field: str) -> Errors:
    seen: set[str] = set()
    for index, row in enumerate(rows):
        place, name = f"{field}[{index}].name", row.get("name", "")
        if not name:
            yield required(place)
        elif len(name) > _SYSCTL_BYTES or not _SYSCTL.fullmatch(name):
            why = f"must have at most {_SYSCTL_BYTES} characters and match regex ^{_SYSCTL.pattern}$"
            yield invalid(place, name, why)
        elif name in seen:
            yield duplicate(place, name)
        plain = name.replace("/", ".")
        if spec.get("hostNetwork") and plain.startswith("net."):
            yield invalid(place, name, "may not be specified when 'hostNetwork' is true")
        elif spec.get("hostIPC") and plain.startswith(_IPC):
            yield invalid(place, name, "may not be specified when 'hostIPC' is true")
        seen.add(name)


def host(spec: Row) -> Errors:
    """What a pod shares with its node."""
    if spec.get("hostPID") and spec.get("shareProcessNamespace"):
        why = "ShareProcessNamespace and HostPID cannot both be enabled"
        yield invalid("spec.shareProcessNamespace", True, why)
    if spec.get("hostUsers", True):
        return
    for key in ("hostNetwork", "hostPID", "hostIPC"):
        if spec.get(key):
            name = key if key == "hostNetwork" else key[0].upper() + key[1:]
            yield forbidden(f"spec.{name}", "when `hostUsers` is false")
