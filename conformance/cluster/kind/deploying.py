"""Putting a driver's objects on a cluster, in namespaces where the tap can see its pods."""

import copy
from collections.abc import Mapping, Sequence

from conformance.cluster.api import AlreadyExists, Api, Object
from conformance.cluster.kind import conditions, tap_policy
from conformance.cluster.kind.manifests import Applier
from conformance.cluster.kind.workloads import namespaces_of
from conformance.target import Target
from conformance.target.model import InstallSection


def deploy(api: Api, target: Target, prerequisites: Sequence[Object], objects: Sequence[Object], shadow: str) -> None:
    """Apply all of it in order, and make the device classes that it did not bring. Raises ApiError, WaitTimeout.

    shadow: the folder of the node that pods are to meet in the place of the kubelet's registry, "" to let them be.
    """
    applier = Applier(api)
    conditions.install(applier, prerequisites)
    labels = (target.file.install or InstallSection()).namespace_labels
    if shadow:
        labels = {**labels, **tap_policy.LABELS}
    namespaces = namespaces_of(objects)
    for name in namespaces:
        applier.apply(_labelled({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}, labels))
    if shadow:
        tap_policy.put_in_force(api, namespaces, shadow)
    for obj in objects:
        applier.apply(_labelled(obj, labels) if obj["kind"] == "Namespace" else obj)
    for obj in target.class_objects():
        try:
            api.create("deviceclasses", obj)
        except AlreadyExists:
            continue


def _labelled(obj: Object, labels: Mapping[str, str]) -> Object:
    made = copy.deepcopy(obj)
    made["metadata"]["labels"] = {**(made["metadata"].get("labels") or {}), **labels}
    return made
