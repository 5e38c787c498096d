"""What a driver may do on a cluster of ours: what the service accounts of drivers usually may."""

from collections.abc import Mapping, Sequence

READ = ("get", "list", "watch")

DRIVER_WRITES: Mapping[str, Sequence[str]] = {
    "resourceslices": ("create", "update", "patch", "delete", "deletecollection"),
    "resourceclaims/status": ("update", "patch"),
    # What a driver reports of devices on its own node.
    "resourceclaims/driver": ("associated-node:update", "associated-node:patch"),
    "deviceclasses": ("create", "update", "patch", "delete"),
    "events": ("create", "update", "patch"),
    "leases": ("create", "update", "patch", "delete"),
    "configmaps": ("create", "update", "patch", "delete"),
    "nodes": ("patch", "update"),
    "devicetaintrules/status": ("update", "patch"),
}
"""resource, or resource/subresource, and the verbs besides reading."""
