"""Problems about the pods: which node they get, what else they ask for, how they come and go."""

from tests.fidelity.allocation.problem import Draft, Obj, cel, opaque
from tests.fidelity.allocation.scenarios import devices


def scores(draft: Draft) -> None:
    """Nodes that would all do: taints, affinity, what is used of them and alternatives make the choice."""
    names = ["a", "b", "c"]
    for name in names:
        soft = {"key": "soft", "value": draft.one("x", "y"), "effect": "PreferNoSchedule"}
        draft.node(name, {"zone": draft.one("z", "y")}, **draft.one({}, {}, {"taints": [soft]}))
        size = {"attributes": {"size": {"int": draft.one(1, 2)}}}
        draft.slice(name, devices("d0", "d1", "d2", **size), pool=name, nodeName=draft.named(name))
    draft.device_class("gpu")
    mine = f'device.attributes["{draft.driver()}"].size'
    subs = [draft.sub(f"s{n}", selectors=[cel(f"{mine} == {n}")]) for n in (2, 1)]
    for number in range(4):
        draft.claim(f"c{number}", draft.one(draft.exactly(), draft.first_of("r", *subs)))
        spec: Obj = {}
        if draft.chance(0.5):
            spec["requests"] = {"cpu": draft.one("100m", "500m"), "memory": draft.one("100Mi", "600Mi")}
        if draft.chance(0.3):
            spec["tolerations"] = [{"key": "soft", "value": "x"}]
        if draft.chance(0.4):
            term = {"matchExpressions": [{"key": "zone", "operator": "In", "values": [draft.one("z", "y")]}]}
            wish = [{"weight": draft.one(1, 50, 100), "preference": term}]
            spec["affinity"] = {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": wish}}
        draft.step(draft.pod(f"p{number}", f"c{number}", **spec))


def full(draft: Draft) -> None:
    """Nodes without room for the pod, whatever devices they have."""
    draft.node("a")
    draft.node("b", more={"pods": "1"})
    draft.slice("s", devices("d0", "d1", "d2"), **draft.anywhere())
    draft.device_class("gpu")
    # The last one cannot run: what is said of one that waits depends on when it was last looked at.
    last = draft.one({"cpu": "300m"}, {"memory": "1000Mi"}, {"cpu": "3"}, {"cpu": "300m", "memory": "900Mi"})
    for number, wanted in enumerate(({"cpu": "300m"}, {"cpu": "300m", "memory": "300Mi"}, last)):
        draft.claim(f"c{number}", draft.exactly())
        draft.step(draft.pod(f"p{number}", f"c{number}", requests=wanted))


def named(draft: Draft) -> None:
    """A pod whose affinity names its node, and one that another scheduler has bound."""
    for name in ("a", "b"):
        draft.node(name)
        draft.slice(name, devices("d0"), pool=name, nodeName=draft.named(name))
    draft.device_class("gpu")
    draft.claim("c0", draft.exactly())
    wanted = draft.named(draft.one("a", "b", "none"))
    term = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [wanted]}]}
    needed = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}
    draft.step(draft.pod("p0", "c0", affinity={"nodeAffinity": needed}))
    bound = draft.pod("p1", "c0", nodeName=draft.named("b"))
    draft.step(bound)
    draft.step(draft.gone("p0"))


def several(draft: Draft) -> None:
    """A pod with several claims: shared ones, its own, from one template twice."""
    draft.node("a")
    draft.slice("s", devices("d0", "d1", "d2", "d3"))
    draft.device_class("gpu", config=[opaque(draft.driver(), a=1), opaque(draft.driver(), b=2)])
    draft.template("t", draft.exactly(count=draft.one(1, 2)))
    draft.template("u", draft.first_of("r", draft.sub("four", count=4), draft.sub("one")))
    draft.claim("c", draft.exactly())
    draft.step(draft.pod("p0", "c", templates=["t"]))
    draft.step(draft.pod("p1", *draft.one([], ["c"]), templates=draft.one(["u"], ["t", "u"])))
    draft.step(draft.gone("p0"), rivals=True)
    draft.step(draft.gone("p1"), rivals=True)


def changing(draft: Draft) -> None:
    """Devices come, go and come back changed while a claim has one of them."""
    draft.node("a")
    draft.device_class("gpu")
    draft.claim("c0", draft.exactly())
    draft.claim("c1", draft.exactly())
    draft.step(draft.pod("p0", "c0"))
    draft.step(draft.create("resourceslices", draft.slice_object("s", devices("d0", "d1"))))
    left = draft.one(devices("d1"), devices("d0"), [{"name": "d1", "taints": [{"key": "k", "effect": "NoSchedule"}]}])
    pool = {"name": "pool", "generation": draft.one(1, 2), "resourceSliceCount": 1}
    draft.step(draft.change("resourceslices", draft.named("s"), {"spec": {"devices": left, "pool": pool}}))
    draft.step(draft.pod("p1", "c1"))
    draft.step(draft.gone("p0"), rivals=True)


def extended(draft: Draft) -> None:
    """Devices asked for by the name of a resource; on one node a device plugin has them."""
    resource = f"{draft.name}.example.com/gpu"
    draft.node("a")
    if draft.chance(0.4):
        draft.node("b", more={resource: "2"})
    draft.slice("s", devices("d0", "d1", "d2"))
    draft.device_class("gpu", extendedResourceName=resource)
    implicit = f"deviceclass.resource.kubernetes.io/{draft.named('gpu')}"
    draft.claim("c", draft.exactly())
    draft.step(draft.pod("p0", requests={draft.one(resource, implicit): draft.one("1", "2", "4")}))
    draft.step(draft.pod("p1", *draft.one([], ["c"]), requests={resource: draft.one("1", "2")}))
    draft.step(draft.gone("p0"), rivals=True)
