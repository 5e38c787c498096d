"""Problems about one thing each, with what varies left to chance."""

from tests.fidelity.allocation.problem import Draft, Obj, cel, opaque


def devices(*names: str, **fields: object) -> list[Obj]:
    """Devices that differ by name only."""
    return [{"name": name, **fields} for name in names]


def freed(draft: Draft) -> None:
    """A pod waits until the device of another is free."""
    draft.node("a")
    draft.slice("s", devices("d0"))
    draft.device_class("gpu")
    if draft.chance(0.5):
        draft.template("t", draft.exactly())
        pods = [draft.pod(name, templates=["t"]) for name in ("p0", "p1")]
    else:
        pods = [draft.pod(name, draft.claim(f"c-{name}", draft.exactly())) for name in ("p0", "p1")]
    for pod in pods:
        draft.step(pod)
    draft.step(draft.gone("p0"))
    draft.step(draft.gone("p1"))


def shared(draft: Draft) -> None:
    """Pods share a claim: it is allocated once and kept until the last one is gone; another claim has the rest."""
    draft.node("a")
    draft.node("b")
    draft.slice("s", devices("d0", "d1"), **draft.one({}, draft.anywhere()))
    draft.device_class("gpu", config=[opaque(draft.driver(), of="class")])
    draft.claim("c", draft.exactly(count=draft.one(1, 2)))
    draft.claim("other", draft.exactly())
    draft.step(draft.pod("p0", "c"))
    draft.step(draft.pod("p1", "c"))
    draft.step(draft.gone("p0"))
    draft.step(draft.pod("p2", "c", "other"))
    draft.step(draft.gone("p1"))


def alternatives(draft: Draft) -> None:
    """Nodes have different alternatives of a request: the first one counts most."""
    names = ["a", "b", "c"][: draft.one(2, 3)]
    for name in names:
        draft.node(name)
        given = [{"name": f"d{n}", "attributes": {"model": {"string": draft.one("A", "B", "C")}}} for n in range(3)]
        draft.slice(f"s-{name}", given, pool=name, nodeName=draft.named(name))
    draft.device_class("gpu")
    mine = f'device.attributes["{draft.driver()}"]'

    def wanted(request: str) -> Obj:
        models = draft.random.sample("ABC", draft.one(2, 3))
        subs = [
            draft.sub(m.lower(), selectors=[cel(f'{mine}.model == "{m}"')], count=draft.one(1, 1, 2)) for m in models
        ]
        return draft.first_of(request, *subs)

    for number in range(4):
        requests = [wanted(f"r{n}") for n in range(draft.one(1, 1, 2))]
        names = ["r0", f"r0/{requests[0]['firstAvailable'][0]['name']}"]
        config = [{**opaque(draft.driver(), x=1), "requests": [draft.one(*names)]}] if draft.chance(0.3) else []
        draft.claim(f"c{number}", *requests, config=config)
        draft.step(draft.pod(f"p{number}", f"c{number}"))


def partitions(draft: Draft) -> None:
    """A card that can be had whole or in parts, its counters in a slice of their own, its devices in one or two."""
    draft.node("a")
    sets = [
        {"name": f"card{n}", "counters": {"memory": {"value": "40Gi"}, "slots": {"value": "4"}}}
        for n in range(draft.one(1, 2))
    ]
    split = draft.chance(0.5)
    count = 2 + split
    draft.slice("counters", count=count, sharedCounters=sets)

    def part(name: str, card: str, memory: int, slots: int) -> Obj:
        used = {"memory": {"value": f"{memory}Gi"}, "slots": {"value": str(slots)}}
        size = {"size": {"int": slots}}
        return {"name": name, "attributes": size, "consumesCounters": [{"counterSet": card, "counters": used}]}

    small = [part(f"{row['name']}-s{n}", str(row["name"]), 10, 1) for row in sets for n in range(4)]
    half = [part(f"{row['name']}-h{n}", str(row["name"]), 20, 2) for row in sets for n in range(2)]
    whole = [part(f"{row['name']}-w", str(row["name"]), 40, 4) for row in sets]
    parts = [*small, *half, *whole]
    draft.random.shuffle(parts)
    if split:
        draft.slice("1", parts[:3], count=count)
        draft.slice("0", parts[3:], count=count)
    else:
        draft.slice("0", parts, count=count)
    draft.device_class("gpu")
    mine = f'device.attributes["{draft.driver()}"].size'
    for number in range(4):
        sizes = [cel(f"{mine} == {draft.one(1, 1, 2, 4)}")]
        draft.claim(f"c{number}", draft.exactly(selectors=sizes, count=draft.one(1, 1, 2)))
        draft.step(draft.pod(f"p{number}", f"c{number}"))
    draft.step(draft.gone("p0"), rivals=True)


def capacities(draft: Draft) -> None:
    """Claims share devices whose capacity is asked for in parts, by the rules of their policies."""
    draft.node("a")
    policies: list[Obj] = [
        {"value": "10Gi", "requestPolicy": {"default": "1Gi", "validValues": ["1Gi", "2Gi", "4Gi", "8Gi"]}},
        {
            "value": "10Gi",
            "requestPolicy": {"default": "3Gi", "validRange": {"min": "1Gi", "max": "9Gi", "step": "2Gi"}},
        },
        {"value": "10Gi", "requestPolicy": {"default": "2Gi", "validRange": {"min": "512Mi"}}},
        {"value": "10Gi"},
    ]
    shared_devices = []
    for n in range(draft.one(1, 2, 3)):
        has = {"memory": draft.one(*policies)}
        if draft.chance(0.4):
            has["lanes"] = {"value": "4", "requestPolicy": {"default": "1", "validValues": ["1", "2", "4"]}}
        shared_devices.append({"name": f"d{n}", "allowMultipleAllocations": draft.chance(0.8) or None, "capacity": has})
    for device in shared_devices:
        if not device["allowMultipleAllocations"]:
            device["capacity"] = {"memory": {"value": "10Gi"}}
            del device["allowMultipleAllocations"]
    draft.slice("s", shared_devices)
    draft.device_class("gpu")
    amounts = ("500Mi", "1Gi", "1500Mi", "3Gi", "5Gi", "6Gi", "9Gi", "11Gi", "1")
    for number in range(4):
        requests = []
        for n in range(draft.one(1, 1, 2)):
            asked = {"memory": draft.one(*amounts)} if draft.chance(0.8) else {}
            if draft.chance(0.2):
                asked["lanes"] = draft.one("1", "3", "2")
            wish: Obj = {"capacity": {"requests": asked}} if asked else {}
            requests.append(draft.exactly(f"r{n}", **wish))
        distinct = [{"distinctAttribute": f"{draft.driver()}/id"}] if draft.chance(0.1) else []
        draft.claim(f"c{number}", *requests, constraints=distinct)
        draft.step(draft.pod(f"p{number}", f"c{number}"))
    draft.step(draft.gone("p0"), rivals=True)


def attributes(draft: Draft) -> None:
    """matchAttribute and distinctAttribute over requests of several drivers."""
    draft.node("a")
    for driver in ("gpu", "nic"):
        given = []
        for n in range(4):
            values: Obj = {"numa": {"int": draft.one(0, 1, 2)}, "model": {"string": draft.one("A", "B")}}
            values["dra.example.com/root"] = draft.one({"string": "r0"}, {"string": "r1"}, {"int": 0}, {"bool": True})
            if draft.chance(0.2):
                values["version"] = {"version": "1.0.0"}
            given.append({"name": f"d{n}", "attributes": values})
        draft.slice(driver, given, driver=driver)
        draft.device_class(driver, drivers=(driver,))
    names = ("dra.example.com/root", f"{draft.driver()}/numa", f"{draft.driver()}/version", f"{draft.driver()}/model")
    for number in range(3):
        requests = [draft.exactly("g", count=draft.one(1, 2, 3)), draft.exactly("n", cls="nic")]
        constraints = []
        for _ in range(draft.one(1, 1, 2)):
            kind = draft.one("matchAttribute", "distinctAttribute")
            attribute = draft.one(*names)
            of = ["g"] if attribute != names[0] else draft.one(["g", "n"], [], ["g"])
            constraints.append({kind: attribute, **({"requests": of} if of else {})})
        chosen = requests if draft.chance(0.7) else requests[:1]
        constraints = [row for row in constraints if "n" not in row.get("requests", ()) or len(chosen) > 1]
        draft.claim(f"c{number}", *chosen, constraints=constraints)
        draft.step(draft.pod(f"p{number}", f"c{number}"))
    draft.step(draft.gone("p0"), rivals=True)


def pools(draft: Draft) -> None:
    """Pools in the middle of a change: slices missing, generations mixed, and then whole again."""
    draft.node("a", {"zone": "z"})
    draft.node("b", {"zone": "y"})
    b = {"nodeName": draft.named("b")}
    draft.slice("1", devices("d0", "d1"), count=2, pool="p")
    broken = draft.one("missing", "newer here", "newer elsewhere", "elsewhere", "twice")
    if broken == "newer here":
        draft.slice("2", devices("n0"), count=2, pool="p", generation=2)
    elif broken == "newer elsewhere":
        draft.slice("2", devices("n0"), count=1, pool="p", generation=2, **b)
    elif broken == "elsewhere":
        draft.slice("2", devices("e0"), count=2, pool="p", **b)
    elif broken == "twice":
        draft.slice("2", devices("d1", "d2"), count=2, pool="p")
    if draft.chance(0.4):
        draft.slice("3", devices("q0"), pool="q")
    draft.device_class("gpu")
    mode = draft.one({"allocationMode": "All"}, {}, {"count": 2})
    draft.claim("c", draft.exactly(**mode))
    draft.claim("d", draft.exactly())
    draft.step(draft.pod("p0", "c", nodeSelector={"zone": "z"}))
    whole = draft.slice_object("9", devices("z0", "z1"), pool="p", generation=5)
    draft.step(draft.create("resourceslices", whole))
    draft.step(draft.pod("p1", "d", nodeSelector={"zone": draft.one("z", "y")}))


def nowhere(draft: Draft) -> None:
    """Nodes that cannot be used: cordoned, tainted, without the label, full; then one that can."""
    draft.node("a", {"zone": "z"}, **draft.one({"unschedulable": True}, {}))
    taint = {"key": "busy", "value": draft.one("yes", ""), "effect": draft.one("NoSchedule", "NoExecute")}
    draft.node("b", {"zone": "y"}, **draft.one({"taints": [taint]}, {"unschedulable": True}))
    draft.slice("s", devices("d0", "d1"), **draft.anywhere())
    draft.device_class("gpu")
    draft.claim("c", draft.exactly())
    spec: Obj = draft.one({}, {"nodeSelector": {"zone": "x"}}, {"nodeSelector": {"zone": "z"}}, {})
    if draft.chance(0.3):
        spec["tolerations"] = [{"key": "busy", "operator": "Exists"}]
    if draft.chance(0.3):
        term = {"matchExpressions": [{"key": "zone", "operator": draft.one("In", "NotIn"), "values": ["y"]}]}
        needed = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}
        spec["affinity"] = {"nodeAffinity": needed}
    draft.step(draft.pod("p0", "c", **spec))
    draft.step(draft.change("nodes", draft.named("a"), {"spec": {"unschedulable": None}}))
    draft.step(draft.change("nodes", draft.named("b"), {"spec": {"unschedulable": None, "taints": None}}))


def elsewhere(draft: Draft) -> None:
    """A claim that was allocated for a node, perhaps one that the pod cannot use: it is freed, and allocated anew."""
    draft.node("a", {"zone": "z"})
    draft.node("b", {"zone": "y"})
    draft.slice("s-a", devices("d0"), pool="a")
    draft.slice("s-b", devices("d0"), pool="b", nodeName=draft.named("b"))
    draft.device_class("gpu")
    draft.claim("c", draft.exactly())
    draft.claim("d", draft.exactly())
    draft.step(draft.pod("p0", "c", nodeSelector={"zone": draft.one("z", "y")}))
    draft.step(draft.pod("p1", "c", *draft.one([], ["d"]), nodeSelector={"zone": draft.one("z", "y")}))
    draft.step(draft.gone("p0"))
    draft.step(draft.gone("p1"))
    held = draft.held("h", [draft.result("d0", pool="gone")], node=draft.one("a", "b"))
    draft.step(draft.pod("p2", held, "d", nodeSelector={"zone": draft.one("z", "y")}))


def taints(draft: Draft) -> None:
    """Taints of devices and of rules, and requests that tolerate them."""
    draft.node("a")
    effects = ("NoSchedule", "None", "NoSchedule")
    given: list[Obj] = []
    for n in range(3):
        many = [
            {"key": draft.one("k", "l"), "value": draft.one("v", "w"), "effect": draft.one(*effects)}
            for _ in range(draft.one(0, 1, 2))
        ]
        given.append({"name": f"d{n}", **({"taints": many} if many else {})})
    draft.slice("s", given)
    draft.device_class("gpu")
    tolerations: tuple[list[Obj], ...] = (
        [],
        [{"operator": "Exists"}],
        [{"key": "k", "operator": "Exists"}],
        [{"key": "k", "value": "v"}, {"key": "l", "operator": "Exists", "effect": "NoSchedule"}],
        [{"key": "rule", "operator": "Exists", "effect": "NoExecute"}],
        [{"key": "rule", "value": "yes", "effect": "NoSchedule"}],
    )
    for number in range(3):
        draft.claim(f"c{number}", draft.exactly(tolerations=draft.one(*tolerations)))
    selector: Obj = {"driver": draft.driver()}
    if draft.chance(0.5):
        selector["pool"] = "pool"
        if draft.chance(0.5):
            selector["device"] = draft.one("d0", "d1")
    taint = {"key": "rule", "value": "yes", "effect": draft.one("NoSchedule", "None")}
    rule = {"metadata": {"name": draft.named("rule")}, "spec": {"deviceSelector": selector, "taint": taint}}
    draft.step(draft.pod("p0", "c0"))
    draft.step(draft.create("devicetaintrules", rule))
    draft.step(draft.pod("p1", "c1"))
    draft.step(draft.pod("p2", "c2"))
    draft.step(draft.remove("devicetaintrules", draft.named("rule")), rivals=True)


def conditions(draft: Draft) -> None:
    """Devices that have to be made ready before the pod is bound, tried after those that need not."""
    draft.node("a")
    prepared = {"bindingConditions": ["ready", "attached"][: draft.one(1, 2)], "bindingFailureConditions": ["bad"]}
    given: list[Obj] = [{"name": "x0", **prepared, **draft.one({}, {"bindsToNode": True})}]
    draft.slice("s0", given, pool="a-pool", **draft.one({}, draft.anywhere()))
    other = draft.chance(0.4)
    if other:
        draft.slice("s1", devices("y0"), pool="b-pool")
    draft.device_class("gpu")
    draft.claim("c0", draft.exactly())
    draft.claim("c1", draft.exactly())
    draft.step(draft.pod("p0", "c0"))
    draft.step(draft.pod("p1", draft.one("c1", "c0") if not other else "c1"))
    waiting = "c1" if other else "c0"
    status = draft.one("True", "True", "False")
    when = {"lastTransitionTime": "2026-01-01T00:00:00Z", "reason": "Told", "message": ""}
    told = [{"type": name, "status": status, **when} for name in prepared["bindingConditions"]]
    row = {"driver": draft.driver(), "pool": "a-pool", "device": "x0", "conditions": told}
    patch = {"status": {"devices": [row]}}
    draft.step(draft.change("resourceclaims", waiting, patch, status=True, namespaced=True))


def administrators(draft: Draft) -> None:
    """Admin access to devices that others have, and taints that bind administrators, too."""
    draft.admin_namespace()
    draft.node("a")
    given = devices("d0", "d1")
    if draft.chance(0.3):
        given[1]["taints"] = [{"key": "k", "effect": "NoSchedule"}]
    draft.slice("s", given)
    draft.device_class("gpu", config=[opaque(draft.driver(), of="class")])
    draft.claim("user", draft.exactly(count=draft.one(1, 2)))
    admin: Obj = {"adminAccess": True, **draft.one({}, {"count": 2}, {"allocationMode": "All"})}
    draft.claim("admin", draft.exactly(**admin), *draft.one([], [draft.exactly("more", adminAccess=True)]))
    draft.claim("late", draft.exactly(allocationMode="All"))
    order = ["user", "admin"]
    draft.random.shuffle(order)
    for name in order:
        draft.step(draft.pod(f"p-{name}", name))
    draft.step(draft.pod("p-late", "late"))
    draft.step(draft.gone("p-user"), rivals=True)


def limits(draft: Draft) -> None:
    """As many devices as a claim can hold, and one more."""
    draft.node("a")
    draft.slice("s", devices(*(f"d{n:02}" for n in range(40))))
    draft.device_class("gpu")
    one, two = draft.one((32, 0), (33, 0), (20, 12), (20, 13), (1, 32))
    requests = [draft.exactly("r0", count=one)] + ([draft.exactly("r1", count=two)] if two else [])
    if draft.chance(0.5):
        requests.append(draft.first_of("f", draft.sub("many", count=draft.one(13, 33)), draft.sub("one")))
    draft.claim("c", *requests)
    draft.claim("all", draft.exactly(allocationMode="All"))
    draft.step(draft.pod("p0", "c"))
    draft.step(draft.pod("p1", "all"))


def expressions(draft: Draft) -> None:
    """Selectors that fail for a device: of one of two nodes, or of the only one."""
    draft.node("a")
    mine = f'device.attributes["{draft.driver()}"]'
    whole = {"attributes": {"model": {"string": "A"}, "size": {"int": 3}, "firmware": {"version": "1.2.3"}}}
    anywhere = (
        f"{mine}.size / 0 == 1",
        f"{mine}.size == {mine}.none",
        f'{mine}.firmware.isGreaterThan(semver("1.x"))',
        f"{mine}.model > 1",
        f"{mine}.model",
        f'device.capacity["{draft.driver()}"].memory.isGreaterThan(quantity("1Gi"))',
        f'{mine}.model.matches("(")',
        f"{mine}.model.substring(5) == {mine}.model",
        "device.driver.charAt(99) == 'x'",
    )
    lacking = (f'{mine}.model == "A"', f"{mine}.size > 2 || {mine}.size < 1", f"{mine}.firmware.major() == 1")
    if draft.chance(0.5):
        draft.node("b")
        draft.slice("s-b", devices("d0", **whole), pool="b", nodeName=draft.named("b"))
        draft.slice("s-a", devices("d0", "d1", **draft.one({}, whole)), pool="a")
        text = draft.one(*lacking)
    else:
        draft.slice("s-a", devices("d0", "d1", **whole), pool="a")
        text = draft.one(*anywhere)
    in_class = draft.chance(0.4)
    draft.device_class("gpu", *([text] if in_class else []))
    draft.claim("c", draft.exactly(selectors=[] if in_class else [cel("true"), cel(text)]))
    draft.step(draft.pod("p0", "c"))


def classes(draft: Draft) -> None:
    """A class that is missing, and comes."""
    draft.node("a")
    draft.slice("s", devices("d0"))
    draft.device_class("gpu")
    wanted = draft.one(
        [draft.exactly(cls="later")],
        [draft.exactly(), draft.exactly("second", cls="later")],
        [draft.first_of("r", draft.sub("s0"), draft.sub("s1", cls="later"))],
    )
    if draft.chance(0.5):
        draft.template("t", *wanted)
        draft.step(draft.pod("p0", templates=["t"]))
    else:
        draft.claim("c", *wanted)
        draft.step(draft.pod("p0", "c"))
    draft.step(draft.create("deviceclasses", draft.class_object("later")))
