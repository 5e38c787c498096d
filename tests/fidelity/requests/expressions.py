"""CEL expressions as selectors of classes, claims and templates: accepted or refused, and for what."""

from conformance.cluster.api import Object
from tests.fidelity.expressions import Expressions
from tests.fidelity.model import Case, Draw, create
from tests.fidelity.registry import family


@family("expressions", weight=16)
def expressions(draw: Draw) -> Case:
    """One to three selectors in one object."""
    source = Expressions(draw.random)
    drawn = [source.draw() for _ in range(draw.random.choice((1, 1, 1, 2, 3)))]
    selectors = [{"cel": {"expression": text}} for text in drawn]
    about = " | ".join(drawn)
    metadata = {"metadata": {"name": draw.name}}
    where = draw.random.choice(("deviceclasses", "resourceclaims", "resourceclaimtemplates", "firstAvailable"))
    if where == "deviceclasses":
        return Case(about, [create(where, {**metadata, "spec": {"selectors": selectors}})])
    wanted: Object = {"deviceClassName": "gpu.example.com", "selectors": selectors}
    if where == "firstAvailable":
        request: Object = {"name": "gpu", "firstAvailable": [{"name": "one", **wanted}]}
    else:
        request = {"name": "gpu", "exactly": wanted}
    spec: Object = {"devices": {"requests": [request]}}
    if where == "resourceclaimtemplates":
        return Case(about, [create(where, {**metadata, "spec": {"spec": spec}}, "default")])
    return Case(about, [create("resourceclaims", {**metadata, "spec": spec}, "default")])
