"""Problems of everything at once: slices, devices, classes and claims at random."""

from typing import Any

from tests.fidelity.allocation.problem import Draft, Obj, cel, opaque

POLICIES: tuple[Obj, ...] = (
    {"value": "10Gi"},
    {"value": "10Gi", "requestPolicy": {"default": "1Gi", "validValues": ["1Gi", "2Gi", "4Gi"]}},
    {"value": "10Gi", "requestPolicy": {"default": "1Gi", "validRange": {"min": "1Gi", "max": "7Gi", "step": "2Gi"}}},
    {"value": "10", "requestPolicy": {"default": "500m", "validRange": {"min": "500m", "step": "250m"}}},
    {"value": "10Gi", "requestPolicy": {"default": "2Gi", "validRange": {"min": "2Gi"}}},
    {"value": "8Gi", "requestPolicy": {"default": "3Gi", "validRange": {"min": "1Gi", "max": "5Gi"}}},
    {"value": "4Gi", "requestPolicy": {"default": "4Gi", "validValues": ["512Mi", "1536Mi", "4Gi"]}},
    {"value": "10Gi", "requestPolicy": {"default": "3Gi", "validRange": {"min": "0", "max": "9Gi", "step": "3Gi"}}},
)
TOLERATIONS: tuple[Obj, ...] = (
    {"operator": "Exists"},
    {"key": "k", "operator": "Equal", "value": "v"},
    {"key": "k", "operator": "Exists", "effect": "NoSchedule"},
    {"key": "l", "operator": "Exists"},
    {"operator": "Exists", "effect": "NoExecute"},
)
AMOUNTS = ("1Gi", "3Gi", "600m", "1100m", "100Mi", "0", "5Gi", "1536Mi", "9Gi", "11Gi")


def one_node(draft: Draft) -> None:
    """One node, with everything that ends an attempt for all nodes: All, devices without an attribute, limits."""
    Mixed(draft, risky=True).write()


def two_nodes(draft: Draft) -> None:
    """Two nodes."""
    Mixed(draft, risky=False).write()


class Mixed:
    """Writes one problem."""

    def __init__(self, draft: Draft, *, risky: bool) -> None:
        self._draft = draft
        self._risky = risky
        self._claims: list[str] = []

    def write(self) -> None:
        """All of it: two or three pods come, one goes."""
        draft = self._draft
        if draft.chance(0.5):
            draft.admin_namespace()
            self._admin = True
        else:
            self._admin = False
        draft.node("a", {"zone": "z"})
        if not self._risky:
            draft.node("b", {"zone": "y"})
        gpu = [draft.driver()]
        draft.device_class("gpu", config=[opaque(gpu[0], c=1)] if draft.chance(0.5) else [])
        draft.device_class(
            "any", drivers=("gpu", "nic"), config=[opaque(draft.driver("nic"), c=2)] if draft.chance(0.3) else []
        )
        self._slices()
        for number in range(3):
            self._claims.append(self._claim(f"c{number}"))
        first = draft.random.sample(self._claims, draft.one(1, 1, 2))
        draft.step(draft.pod("p0", *first))
        draft.step(draft.pod("p1", draft.one(*self._claims)))
        draft.step(draft.gone("p0"), rivals=True)
        draft.step(draft.pod("p2", draft.one(*self._claims)), rivals=True)

    def _slices(self) -> None:
        draft = self._draft
        for pool in draft.random.sample(["p1", "p2", draft.named("a")], draft.one(1, 2, 3)):
            counters, number = draft.chance(0.4), draft.one(1, 1, 2)
            common: Any = {"driver": draft.one("gpu", "gpu", "nic"), "pool": pool}
            common["count"] = number + counters + (self._risky and draft.chance(0.1))
            held = []
            for index in range(number):
                where = self._where()
                devices = [self._device(f"d{index}{n}", where, counters) for n in range(draft.one(0, 2, 3, 4))]
                generation = 1 + (self._risky and draft.chance(0.08))
                name = f"{draft.one(1, 2, 3)}-{pool.removeprefix(draft.name)}-{index}"
                obj = draft.slice(name, devices, generation=generation, **common, **where)
                held += [self._held(obj["spec"], device) for device in devices if draft.chance(0.1)]
            if counters:
                values = {"memory": {"value": draft.one("3Gi", "10Gi")}, "slots": {"value": "4"}}
                sets = [{"name": "card", "counters": values}]
                where = {"nodeSelector": draft.in_zone("z", "y")["nodeSelector"]}
                draft.slice(f"c-{pool.removeprefix(draft.name)}", **common, **where, sharedCounters=sets)
            if held:
                draft.held(f"held-{pool}", held)

    def _where(self) -> Obj:
        draft = self._draft
        here = {"nodeName": draft.named("a")}
        there = {"nodeName": draft.named("b")}
        zoned = draft.in_zone(*draft.random.sample(["z", "y", "x"], 2))
        return dict(draft.one(here, here, there, zoned, zoned, {"perDeviceNodeSelection": True}))

    def _device(self, name: str, where: Obj, counters: bool) -> Obj:
        draft = self._draft
        device: Obj = {"name": name if draft.chance(0.98) or not self._risky else "dup"}
        device["attributes"] = {
            "model": {"string": draft.one("A", "B")},
            draft.one("numa", f"{draft.driver()}/numa"): {"int": draft.one(0, 1)},
        }
        if self._risky and draft.chance(0.1):
            del device["attributes"]["model"]
        if draft.chance(0.4):
            device["allowMultipleAllocations"] = True
        if draft.chance(0.6):
            shared = device.get("allowMultipleAllocations")
            device["capacity"] = {"memory": dict(draft.one(*POLICIES)) if shared else {"value": "8Gi"}}
        if draft.chance(0.1):
            effect = draft.one("NoSchedule", "NoSchedule", "None")
            device["taints"] = [{"key": draft.one("k", "k", "l"), "value": draft.one("v", "w"), "effect": effect}]
        if counters and draft.chance(0.5):
            used = {draft.one("memory", "slots"): {"value": draft.one("1", "2", "4")}}
            sets = ("card", "card", "card", "no") if self._risky else ("card",)
            device["consumesCounters"] = [{"counterSet": draft.one(*sets), "counters": used}]
        if draft.chance(0.03):
            device["bindsToNode"] = True
        if draft.chance(0.03):
            device |= {"bindingConditions": ["ready"], "bindingFailureConditions": ["bad"]}
        if where.get("perDeviceNodeSelection"):
            device.update(draft.one({"nodeName": draft.named("a")}, draft.in_zone("z", "x"), draft.in_zone("y", "x")))
        return device

    def _held(self, spec: Obj, device: Obj) -> Obj:
        share: Obj = {}
        if device.get("allowMultipleAllocations"):
            share["shareID"] = f"00000000-0000-4000-8000-{self._draft.random.randrange(10**12):012}"
            if "capacity" in device:
                share["consumedCapacity"] = {"memory": "1Gi"}
        where = {"driver": spec["driver"], "pool": spec["pool"]["name"]}
        return {"request": "r", **where, "device": device["name"], **share}

    def _claim(self, name: str) -> str:
        draft = self._draft
        requests: list[Obj] = []
        names: list[str] = []
        for number in range(draft.one(1, 2, 3)):
            request = f"r{number}"
            names.append(request)
            if draft.chance(0.3):
                subs = [draft.sub(f"s{n}", cls="any", **self._wish()) for n in range(draft.one(1, 2, 3))]
                names += [f"{request}/{sub['name']}" for sub in subs]
                requests.append(draft.first_of(request, *subs))
            else:
                admin = {"adminAccess": True} if self._admin and draft.chance(0.2) else {}
                requests.append(draft.exactly(request, cls=draft.one("gpu", "any"), **self._wish(), **admin))
        return draft.claim(name, *requests, **self._rest(names))

    def _wish(self) -> Obj:
        draft = self._draft
        everything = self._risky and draft.chance(0.1)
        wish: Obj = {"allocationMode": "All"} if everything else {"count": draft.one(1, 1, 1, 2, 3)}
        if draft.chance(0.3):
            wish["selectors"] = [cel(draft.one(*self._selectors()))]
        if draft.chance(0.2):
            wish["tolerations"] = [draft.one(*TOLERATIONS)]
        if draft.chance(0.2):
            wish["capacity"] = {"requests": {"memory": draft.one(*AMOUNTS)}}
        return wish

    def _selectors(self) -> list[str]:
        mine = f'device.attributes["{self._draft.driver()}"]'
        capacity = f'device.capacity["{self._draft.driver()}"]'
        sure = [
            f'{mine}.?model.orValue("") == "B"',
            f'device.driver == "{self._draft.driver()}"',
            'device.attributes["other.example.com"].?x.orValue(1) == 1',
            f"has({mine}.numa) && {mine}.numa == 0",
            f'!has({capacity}.memory) || {capacity}.memory.isLessThan(quantity("9Gi"))',
            "device.allowMultipleAllocations",
        ]
        return [f'{mine}.model == "A"', *sure] if self._risky else sure

    def _rest(self, names: list[str]) -> Obj:
        draft = self._draft
        rest: Obj = {}
        if draft.chance(0.3):
            rest["constraints"] = [self._constraint(names) for _ in range(draft.one(1, 1, 2))]
        if draft.chance(0.4):
            asked = draft.random.sample(names, draft.one(0, 1, 1))
            rest["config"] = [{**opaque(draft.driver(), x=1), "requests": asked}]
        return rest

    def _constraint(self, names: list[str]) -> Obj:
        draft = self._draft
        kind = draft.one("matchAttribute", "distinctAttribute")
        attribute = f"{draft.driver()}/{draft.one('model', 'numa')}"
        of = draft.random.sample(names, draft.one(1, min(2, len(names)))) if draft.chance(0.5) else []
        return {kind: attribute, **({"requests": of} if of else {})}
