"""The ways to write an object: each of them, now and then, with a changed copy of an example."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from conformance.cluster.api import Object
from tests.fidelity.model import Case, Draw, Ref, Request, create, get, patch, update

Layout = Callable[[Object], Object]
"""From the layout of v1 to that of an older version."""

_WAYS = (
    ("create", 50),
    ("update", 24),
    ("merge patch", 6),
    ("JSON patch", 5),
    ("strategic patch", 4),
    ("apply", 4),
    ("dry run", 3),
    ("strict", 4),
)
_OLD_SHARE = 0.15  # of the cases are asked in an older version


def written(
    draw: Draw,
    resource: str,
    example: Object,
    changed: Object,
    said: str,
    *,
    namespace: str = "",
    older: Mapping[str, Layout] | None = None,
    before: Sequence[Request] = (),
) -> Case:
    """A case that writes `changed` in one of the ways; updates and patches begin with `example`.

    `older`: versions other than the usual one, with how they differ.
    """
    way = draw.random.choices([name for name, _ in _WAYS], weights=[weight for _, weight in _WAYS])[0]
    version = draw.random.choice(list(older)) if older and draw.chance(_OLD_SHARE) else ""
    layout = (older or {}).get(version, _same)
    example, changed = layout(example), layout(changed)
    name = example["metadata"]["name"]
    first = create(resource, example, namespace, version=version)
    steps: list[Request] = [first]
    if way == "create":
        steps = [create(resource, changed, namespace, version=version)]
    elif way == "strict":
        how = draw.random.choice(("Strict", "Strict", "Warn", "Ignore"))
        steps = [create(resource, changed, namespace, version=version, fieldValidation=how)]
    elif way == "dry run":
        if draw.chance(0.5):
            steps = [create(resource, changed, namespace, version=version, dryRun="All")]
        else:
            steps.append(update(resource, name, changed, namespace, version=version, dryRun="All"))
    elif way == "update":
        steps.append(update(resource, name, draw_version(draw, changed), namespace, version=version))
    else:
        steps.append(_patch(way, resource, name, changed, namespace, version))
    steps.append(get(resource, name, namespace))
    return Case(f"{way} {version} {said}", [*before, *steps])


def draw_version(draw: Draw, obj: Object) -> Object:
    """The object, mostly with the version that the first request was answered with."""
    metadata = obj.get("metadata")
    if not isinstance(metadata, dict) or "resourceVersion" in metadata or draw.chance(0.3):
        return obj
    return {**obj, "metadata": {**metadata, "resourceVersion": Ref(0, "metadata.resourceVersion")}}


def _patch(way: str, resource: str, name: str, changed: Object, namespace: str, version: str) -> Request:
    body: Any = {key: value for key, value in changed.items() if key not in ("apiVersion", "kind")}
    if way == "JSON patch":
        body = [{"op": "add", "path": f"/{key}", "value": value} for key, value in body.items() if key != "metadata"]
        return patch(resource, name, body, namespace, kind="json", version=version)
    if way == "apply":
        return patch(
            resource, name, body, namespace, kind="apply", version=version, fieldManager="fidelity", force="true"
        )
    kind = "merge" if way == "merge patch" else "strategic"
    return patch(resource, name, body, namespace, kind=kind, version=version)


def _same(obj: Object) -> Object:
    return obj
