"""Problems in which optional features meet each other."""

from tests.fidelity.allocation.mixed import AMOUNTS, POLICIES, TOLERATIONS
from tests.fidelity.allocation.problem import Action, Draft, Obj, cel, opaque

_LANES = {"value": "4", "requestPolicy": {"default": "1", "validValues": ["1", "2", "4"]}}
_CHANGED = "2026-01-01T00:00:00Z"


def subdivided(draft: Draft) -> None:
    """Parts of cards, of which some can be had by several claims, each part on a node of its own."""
    draft.node("a", {"zone": "z"})
    draft.node("b", {"zone": "y"})
    sets = [
        {"name": "card", "counters": {"memory": {"value": draft.one("20Gi", "40Gi")}, "slots": {"value": "4"}}},
        {"name": "link", "counters": {"lanes": {"value": draft.one("1", "2", "2500m")}}},
    ]
    draft.slice("counters", count=2, sharedCounters=sets, **draft.anywhere())
    parts = [_part(draft, number) for number in range(draft.one(3, 4, 6))]
    draft.slice("parts", parts, count=2, perDeviceNodeSelection=True)
    draft.device_class("gpu")
    mine = f'device.attributes["{draft.driver()}"].size'
    for number in range(4):
        wish: Obj = {"count": draft.one(1, 1, 2)}
        if draft.chance(0.5):
            wish["selectors"] = [cel(f"{mine} == {draft.one(1, 2)}")]
        if draft.chance(0.4):
            wish["capacity"] = {"requests": {"memory": draft.one(*AMOUNTS)}}
        draft.claim(f"c{number}", draft.exactly(**wish))
        draft.step(draft.pod(f"p{number}", f"c{number}", nodeSelector=draft.one({}, {}, {"zone": "z"})))
    draft.step(draft.gone("p0"), rivals=True)


def _part(draft: Draft, number: int) -> Obj:
    size = draft.one(1, 2)
    used = {"memory": {"value": f"{size * 10}Gi"}, "slots": {"value": str(size)}}
    rows = [{"counterSet": "card", "counters": used}]
    if draft.chance(0.4):
        rows.append({"counterSet": "link", "counters": {"lanes": {"value": draft.one("1", "500m")}}})
    part: Obj = {"name": f"d{number}", "attributes": {"size": {"int": size}}, "consumesCounters": rows}
    if draft.chance(0.4):
        part |= {"allowMultipleAllocations": True, "capacity": {"memory": dict(draft.one(*POLICIES))}}
    part |= draft.one({"nodeName": draft.named("a")}, draft.in_zone("z", "x"), draft.in_zone("z", "y"))
    return part


def spread(draft: Draft) -> None:
    """Shares of devices that have to be of different devices, or of one sort."""
    draft.node("a")
    given = []
    for number in range(draft.one(2, 3, 4)):
        device: Obj = {"name": f"d{number}", "attributes": {"numa": {"int": number % 2}, "id": {"int": number}}}
        if draft.chance(0.7):
            device |= {"allowMultipleAllocations": True, "capacity": {"memory": dict(draft.one(*POLICIES))}}
            if draft.chance(0.4):
                device["capacity"]["lanes"] = _LANES
        given.append(device)
    draft.slice("s", given)
    draft.device_class("gpu")
    for number in range(4):
        requests = []
        for name in ("r0", "r1")[: draft.one(1, 2)]:
            wish: Obj = {"count": draft.one(1, 1, 2, 3)}
            if draft.chance(0.6):
                wish["capacity"] = {"requests": {"memory": draft.one(*AMOUNTS)}}
                if draft.chance(0.3):
                    wish["capacity"]["requests"]["lanes"] = draft.one("1", "3", "100m")
            requests.append(draft.exactly(name, **wish))
        constraints = []
        for _ in range(draft.one(0, 1, 1, 2)):
            kind = draft.one("distinctAttribute", "distinctAttribute", "matchAttribute")
            of = {"requests": ["r0"]} if draft.chance(0.4) else {}
            constraints.append({kind: f"{draft.driver()}/{draft.one('id', 'numa')}", **of})
        draft.claim(f"c{number}", *requests, constraints=constraints)
        draft.step(draft.pod(f"p{number}", f"c{number}"))
    draft.step(draft.gone("p0"), rivals=True)


def overseen(draft: Draft) -> None:
    """Administrators and others at devices that can be shared, with taints and held ones."""
    draft.admin_namespace()
    draft.node("a")
    given: list[Obj] = []
    for number in range(3):
        device: Obj = {"name": f"d{number}", "attributes": {"id": {"int": number}}}
        if draft.chance(0.5):
            device |= {"allowMultipleAllocations": True, "capacity": {"memory": dict(draft.one(*POLICIES))}}
        if draft.chance(0.3):
            effect = draft.one("NoSchedule", "NoExecute", "None")
            device["taints"] = [{"key": "k", "value": draft.one("v", "w"), "effect": effect}]
        given.append(device)
    draft.slice("s", given)
    draft.device_class("gpu", config=[opaque(draft.driver(), of="class")])
    for number in range(4):
        wish: Obj = draft.one({}, {"count": 2}, {"allocationMode": "All"}, {"count": 3})
        if draft.chance(0.6):
            wish = {**wish, "adminAccess": True}
        if draft.chance(0.4):
            wish = {**wish, "tolerations": [draft.one(*TOLERATIONS)]}
        if draft.chance(0.3):
            wish = {**wish, "capacity": {"requests": {"memory": draft.one(*AMOUNTS)}}}
        other = [draft.exactly("other", adminAccess=draft.one(True, False))] if draft.chance(0.4) else []
        distinct = [{"distinctAttribute": f"{draft.driver()}/id"}] if draft.chance(0.2) else []
        draft.claim(f"c{number}", draft.exactly(**wish), *other, constraints=distinct)
        draft.step(draft.pod(f"p{number}", f"c{number}"))
    draft.step(draft.gone("p0"), rivals=True)


def prepared(draft: Draft) -> None:
    """Devices that have to be made ready, together with others, for claims that share them or have alternatives."""
    draft.node("a")
    needs = {"bindingConditions": ["ready"], "bindingFailureConditions": ["bad", "worse"]}
    first: Obj = {"name": "x0", **needs}
    second: Obj = {"name": "x1", **draft.one({}, needs, {**needs, "bindsToNode": True})}
    if draft.chance(0.4):
        first |= {"allowMultipleAllocations": True, "capacity": {"memory": {"value": "10Gi"}}}
    where = draft.one({}, draft.anywhere())
    draft.slice("s", [first, second], **where)
    draft.device_class("gpu")
    wanted = draft.one(
        [draft.exactly(count=2)],
        [draft.exactly()],
        [draft.first_of("r", draft.sub("many", count=3), draft.sub("one"))],
        [draft.exactly(), draft.exactly("more")],
    )
    draft.claim("c0", *wanted)
    draft.claim("c1", draft.exactly())
    draft.step(draft.pod("p0", "c0"))
    draft.step(_told(draft, "x0", draft.one("ready", "ready", "else"), draft.one("True", "True", "False")))
    draft.step(_told(draft, "x1", "ready", "True"))
    draft.step(draft.pod("p1", "c1"))


def _told(draft: Draft, device: str, condition: str, status: str) -> Action:
    row = {
        **{"driver": draft.driver(), "pool": "pool", "device": device},
        "conditions": [
            {"type": condition, "status": status, "lastTransitionTime": _CHANGED, "reason": "Told", "message": ""}
        ],
    }
    return draft.change("resourceclaims", "c0", {"status": {"devices": [row]}}, status=True, namespaced=True)


def resources(draft: Draft) -> None:
    """Devices of two classes by the names of resources, in containers of all sorts, beside claims."""
    names = {kind: f"{draft.name}.example.com/{kind}" for kind in ("gpu", "nic")}
    draft.node("a", more=draft.one({}, {}, {names["nic"]: "1"}))
    for kind, name in names.items():
        draft.slice(kind, [{"name": f"{kind}{number}"} for number in range(3)], driver=kind)
        draft.device_class(kind, drivers=(kind,), extendedResourceName=name)
    draft.claim("c", draft.exactly(), draft.exactly("nic", cls="nic"))
    asked = [*names.values(), f"deviceclass.resource.kubernetes.io/{draft.named('nic')}"]
    for number in range(3):
        spec: Obj = {"containers": [_container(draft, f"c{n}", asked) for n in range(draft.one(1, 2))]}
        if draft.chance(0.4):
            spec["initContainers"] = [_container(draft, "i", asked)]
            if draft.chance(0.3):
                spec["initContainers"][0]["restartPolicy"] = "Always"
        pod = draft.pod(f"p{number}", *(["c"] if number == 1 and draft.chance(0.5) else []), **spec)
        draft.step(pod)
    draft.step(draft.gone("p0"), rivals=True)


def _container(draft: Draft, name: str, asked: list[str]) -> Obj:
    wanted = {resource: draft.one("1", "1", "2", "0") for resource in draft.random.sample(asked, draft.one(1, 1, 2))}
    return {"name": name, "image": "none", "resources": {"requests": wanted, "limits": wanted}}
