"""Deletion: preconditions, finalizers, options, collections."""

from typing import Any

from conformance.cluster.api import Object
from tests.fidelity import values
from tests.fidelity.model import Case, Draw, Ref, Request, create, delete, delete_all, get, list_of, patch, update
from tests.fidelity.registry import family
from tests.fidelity.requests.metadata import BODIES, namespace_of, small

_OPTIONS: tuple[tuple[str, Any], ...] = (
    ("none", None),
    ("empty", {}),
    ("its UID", {"preconditions": {"uid": Ref(0, "metadata.uid")}}),
    ("another UID", {"preconditions": {"uid": values.UUIDS[0]}}),
    ("its version", {"preconditions": {"resourceVersion": Ref(0, "metadata.resourceVersion")}}),
    ("another version", {"preconditions": {"resourceVersion": "1"}}),
    ("empty preconditions", {"preconditions": {}}),
    ("background", {"propagationPolicy": "Background"}),
    ("foreground", {"propagationPolicy": "Foreground"}),
    ("orphan", {"propagationPolicy": "Orphan"}),
    ("a wrong policy", {"propagationPolicy": "Sideways"}),
    ("orphanDependents", {"orphanDependents": True}),
    ("no orphanDependents", {"orphanDependents": False}),
    ("both policies", {"orphanDependents": True, "propagationPolicy": "Background"}),
    ("dry run", {"dryRun": ["All"]}),
    ("a wrong dry run", {"dryRun": ["Some"]}),
    ("a dry run twice", {"dryRun": ["All", "All"]}),
    ("grace", {"gracePeriodSeconds": 5}),
    ("no grace", {"gracePeriodSeconds": 0}),
    ("negative grace", {"gracePeriodSeconds": -1}),
    ("a wrong type", {"gracePeriodSeconds": "x"}),
    ("unknown field", {"unknownField": 1}),
)


@family("deleting", weight=5)
def deleting(draw: Draw) -> Case:
    """One object is deleted, perhaps with finalizers, and what is then left of it is changed."""
    resource = draw.random.choice(list(BODIES))
    namespace, name = namespace_of(resource), draw.name
    said, options = draw.random.choice(_OPTIONS)
    held = draw.chance(0.4)
    obj = small(resource, name, **({"finalizers": ["example.com/hold"]} if held else {}))
    query: dict[str, Any] = {}
    if draw.chance(0.15):
        query = draw.random.choice(
            ({"dryRun": "All"}, {"dryRun": "x"}, {"propagationPolicy": "Orphan"}, {"gracePeriodSeconds": "3"})
        )
    steps: list[Request] = [create(resource, obj, namespace), delete(resource, name, namespace, options, **query)]
    after = draw.random.choice(("get", "again", "label", "finalizer", "free", "free by patch", "create"))
    steps += _after(after, resource, name, namespace)
    steps.append(get(resource, name, namespace))
    return Case(f"{resource} {said} {query} held={held} then {after}", steps)


def _after(what: str, resource: str, name: str, namespace: str) -> list[Request]:
    if what == "again":
        return [delete(resource, name, namespace)]
    if what == "label":
        return [patch(resource, name, {"metadata": {"labels": {"a": "b"}}}, namespace)]
    if what == "finalizer":
        return [patch(resource, name, {"metadata": {"finalizers": ["example.com/hold", "example.com/x"]}}, namespace)]
    if what == "free":
        return [update(resource, name, small(resource, name), namespace)]
    if what == "free by patch":
        return [patch(resource, name, {"metadata": {"finalizers": None}}, namespace)]
    return [create(resource, small(resource, name), namespace)] if what == "create" else []


@family("missing objects", weight=1)
def missing(draw: Draw) -> Case:
    """Requests about an object that is not there, or is already."""
    resource = draw.random.choice(list(BODIES))
    namespace, name = namespace_of(resource), draw.name
    obj = small(resource, name)
    steps: list[Request] = [
        get(resource, name, namespace),
        update(resource, name, obj, namespace),
        patch(resource, name, {"metadata": {"labels": {"a": "b"}}}, namespace),
        delete(resource, name, namespace),
        create(resource, obj, namespace, dryRun="All"),
        create(resource, obj, namespace),
        create(resource, obj, namespace),
        create(resource, obj, namespace, dryRun="All"),
        get(resource, name, namespace),
    ]
    return Case(resource, steps)


@family("selectors", weight=5)
def selectors(draw: Draw) -> Case:
    """Lists and deletions of collections by label and field selectors, right and wrong ones."""
    resource = draw.random.choice(list(BODIES))
    namespace, name = namespace_of(resource), draw.name
    mine = {"case": name}
    objects: list[Object] = [
        small(resource, f"{name}-a", labels={**mine, "tier": "one", "x": ""}),
        small(resource, f"{name}-b", labels={**mine, "tier": "two", "n": "5"}),
        small(resource, f"{name}-c", labels=mine),
    ]
    label = draw.random.choice(_LABELS)
    field = draw.random.choice(_FIELDS[:4] if draw.chance(0.5) else _FIELDS).replace("NAME", name)
    query: dict[str, Any] = {"labelSelector": f"case={name}" + (f",{label}" if label else "")}
    if field and draw.chance(0.6):
        query["fieldSelector"] = field
    steps: list[Request] = [create(resource, obj, namespace) for obj in objects]
    ask = draw.random.choice(("list", "list", "delete", "everywhere"))
    if ask == "list":
        steps.append(list_of(resource, namespace, **query))
    elif ask == "everywhere":
        steps.append(list_of(resource, "", **query))
    else:
        steps.append(delete_all(resource, namespace, **query))
        steps.append(list_of(resource, namespace, labelSelector=f"case={name}"))
    return Case(f"{resource} {ask} {query}", steps)


_LABELS = (
    "",
    "tier=one",
    "tier==two",
    "tier!=one",
    "tier in (one,two)",
    "tier in (one, two)",
    "tier notin (one)",
    "tier in ()",
    "tier in one",
    "tier",
    "!tier",
    "! tier",
    "tier=",
    "x=",
    "x in (,)",
    "n>4",
    "n<4",
    "n>x",
    "tier=one,tier=two",
    "tier = one",
    "tier=o n e",
    "=x",
    "tier=one,",
    ",tier=one",
    "a b",
    "tier===one",
    "tier=" + "v" * 64,
    "A/b/c=x",
    "example.com/k=v",
    "tier=!x",
    "(tier)",
    "tier in (one",
    "!tier=one",
    "tier<>1",
    "-a=b",
    "tier=-",
)
_FIELDS = (
    "",
    "metadata.name=NAME-a",
    "metadata.name!=NAME-a",
    "metadata.name==NAME-b",
    "metadata.name=NAME-a,metadata.name=NAME-b",
    "metadata.namespace=default",
    "metadata.namespace=other",
    "metadata.namespace!=other",
    "metadata.uid=x",
    "metadata.labels.tier=one",
    "spec.driver=gpu.example.com",
    "spec.driver!=gpu.example.com",
    "spec.nodeName=node-a",
    "spec.nodeName=",
    "spec.pool.name=a",
    "spec.pool.generation=1",
    "spec.unschedulable=false",
    "spec.unschedulable=true",
    "status.phase=Active",
    "metadata.name",
    "metadata.name>a",
    "=x",
    "metadata.name=NAME-a,",
    ",metadata.name=NAME-a",
    "metadata.name=\\=",
    "metadata.name=a\\x",
    "metadata.name in (a)",
    " metadata.name = NAME-a ",
    "type=Opaque",
    "name=x",
)
