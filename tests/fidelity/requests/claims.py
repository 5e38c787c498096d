"""ResourceClaims and ResourceClaimTemplates with all their fields; v1 and older versions."""

from conformance.cluster.api import Object
from tests.fidelity.model import Case, Draw, Request, create
from tests.fidelity.mutate import Table, mutated
from tests.fidelity.operations import Layout, written
from tests.fidelity.registry import family
from tests.fidelity.requests.claim_spec import FULL, PLAIN, SPEC, flattened

_LABELS = {"a": "b"}
_ADMIN = {"resource.kubernetes.io/admin-access": "true"}


def _same(obj: Object) -> Object:
    return obj


def _flat_claim(obj: Object) -> Object:
    return {**obj, "spec": flattened(obj["spec"])} if "spec" in obj else obj


def _flat_template(obj: Object) -> Object:
    inner = obj.get("spec")
    if not isinstance(inner, dict) or "spec" not in inner:
        return obj
    return {**obj, "spec": {**inner, "spec": flattened(inner["spec"])}}


_CLAIM_LAYOUTS: dict[str, Layout] = {"v1beta1": _flat_claim, "v1beta2": _same}
_TEMPLATE_LAYOUTS: dict[str, Layout] = {"v1beta1": _flat_template, "v1beta2": _same}
_CLAIM: Table = {**SPEC, "status": [{}, {"reservedFor": [{"resource": "pods", "name": "p", "uid": "1"}]}]}
_TEMPLATE: Table = {
    "spec": [{}, {"spec": {}}, {"metadata": {}}],
    "spec.metadata": [
        {},
        {"labels": _LABELS, "annotations": {"a": "b"}},
        {"labels": {"-": "b"}},
        {"labels": {"a": "-"}},
        {"annotations": {"-": "b"}},
        {"name": "x", "namespace": "y", "finalizers": ["a/b"], "uid": "1", "generateName": "z-"},
        {"finalizers": ["-"]},
        {"ownerReferences": [{}]},
        {"creationTimestamp": "2024-01-02T03:04:05Z"},
        1,
    ],
    **{f"spec.{path}": changes for path, changes in SPEC.items()},
}


@family("claims", weight=8)
def claims(draw: Draw) -> Case:
    """Claims, at times in a namespace where admin access is granted."""
    spec = PLAIN if draw.chance(0.15) else FULL
    namespace, before = _namespace(draw)
    example = {"metadata": {"name": draw.name}, "spec": spec}
    changed, said = mutated(draw, example, _CLAIM)
    return written(
        draw, "resourceclaims", example, changed, said, namespace=namespace, older=_CLAIM_LAYOUTS, before=before
    )


@family("templates", weight=4)
def templates(draw: Draw) -> Case:
    """Templates of claims."""
    namespace, before = _namespace(draw)
    inner = {"metadata": {"labels": _LABELS}, "spec": PLAIN if draw.chance(0.15) else FULL}
    example = {"metadata": {"name": draw.name}, "spec": inner}
    changed, said = mutated(draw, example, _TEMPLATE)
    return written(
        draw,
        "resourceclaimtemplates",
        example,
        changed,
        said,
        namespace=namespace,
        older=_TEMPLATE_LAYOUTS,
        before=before,
    )


def _namespace(draw: Draw) -> tuple[str, list[Request]]:
    if not draw.chance(0.1):
        return "default", []
    labels = {} if draw.chance(0.3) else _ADMIN
    name = f"{draw.name}-ns"
    return name, [create("namespaces", {"metadata": {"name": name, "labels": labels}})]
