"""Lists that are merged item by item (patchMergeKey and listMapKeys in the types of k8s.io/api)."""

from collections.abc import Mapping, Sequence
from typing import Any

_CONTAINERS = ("spec.containers", "spec.initContainers")

# The path of a list, without indexes, to the fields that tell its items apart; () for sets of plain values.
_KEYS: dict[str, tuple[str, ...]] = {
    "metadata.finalizers": (),
    "metadata.ownerReferences": ("uid",),
    "status.conditions": ("type",),
    "status.addresses": ("type",),
    "status.reservedFor": ("uid",),
    "status.devices": ("driver", "pool", "device", "shareID"),
    "status.devices.conditions": ("type",),
    "status.resourceClaimStatuses": ("name",),
    "spec.taints": ("key", "effect"),
    "spec.volumes": ("name",),
    "spec.resourceClaims": ("name",),
    "spec.imagePullSecrets": ("name",),
    **dict.fromkeys(_CONTAINERS, ("name",)),
    **{f"{group}.env": ("name",) for group in _CONTAINERS},
    **{f"{group}.resources.claims": ("name",) for group in _CONTAINERS},
    **{f"{group}.volumeMounts": ("mountPath",) for group in _CONTAINERS},
    **{f"{group}.ports": ("containerPort", "protocol") for group in _CONTAINERS},
}


def merge_keys(path: str) -> tuple[str, ...] | None:
    """The key fields of the list at a path, () for a set; None for a list that is only replaced as a whole."""
    return _KEYS.get(path)


def child(path: str, key: str) -> str:
    """The path of a field of the object at `path`."""
    return f"{path}.{key}" if path else key


def key_values(row: Any, keys: Sequence[str]) -> tuple[Any, ...]:
    """What tells a list item apart."""
    return tuple(row.get(key) for key in keys) if isinstance(row, Mapping) else (row,)
