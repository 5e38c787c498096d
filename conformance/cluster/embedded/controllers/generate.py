"""A claim for a pod, made from a template."""

from typing import Any

from conformance.cluster.embedded.scheduler.model import Json

# A generated name ends in five random characters, and has 63 at most.
_LONGEST = 57


def name_base(pod: str, entry: str) -> str:
    """generateName of the claim; if it were too long, both parts are cut in proportion to their length."""
    base = f"{pod}-{entry}-"
    if len(base) <= _LONGEST:
        return base
    return f"{pod[: len(pod) * _LONGEST // len(base)]}-{entry[: len(entry) * _LONGEST // len(base)]}"


def controlled_by(pod: Json) -> dict[str, Any]:
    """The owner reference of a claim that was made for a pod. It does not block the pod's deletion."""
    meta = pod["metadata"]
    return {"apiVersion": "v1", "kind": "Pod", "name": meta["name"], "uid": meta["uid"], "controller": True}


def generated_claim(pod: Json, entry: str, template: Json) -> dict[str, Any]:
    """The claim for an entry of the pod's resourceClaims: the pod controls it, the annotation tells the entry."""
    spec = template["spec"]
    inherited = spec.get("metadata") or {}
    metadata = {
        "generateName": name_base(pod["metadata"]["name"], entry),
        "namespace": pod["metadata"]["namespace"],
        "ownerReferences": [controlled_by(pod)],
        "annotations": {**(inherited.get("annotations") or {}), "resource.kubernetes.io/pod-claim-name": entry},
    }
    if inherited.get("labels"):
        metadata["labels"] = dict(inherited["labels"])
    return {"metadata": metadata, "spec": spec.get("spec") or {}}
