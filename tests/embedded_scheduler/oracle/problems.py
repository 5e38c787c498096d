"""Made-up problems for allocators, at random but the same for the same seed."""

from random import Random
from typing import Any

from tests.embedded_scheduler import objects
from tests.embedded_scheduler.objects import DRIVER, Obj

SELECTORS = (
    'device.attributes["gpu.example.com"].model == "A"',
    'device.attributes["gpu.example.com"].?model.orValue("") == "B"',
    'device.driver == "gpu.example.com"',
    'device.attributes["nix.example.com"].?x.orValue(1) == 1',
    'has(device.attributes["gpu.example.com"].numa) && device.attributes["gpu.example.com"].numa == 0',
    '!has(device.capacity["gpu.example.com"].memory) || '
    'device.capacity["gpu.example.com"].memory.isLessThan(quantity("5Gi"))',
    "device.allowMultipleAllocations",
)
POLICIES: tuple[Obj, ...] = (
    {"value": "10Gi"},
    {"value": "10Gi", "requestPolicy": {"default": "1Gi", "validValues": ["1Gi", "2Gi", "4Gi"]}},
    {
        "value": "10Gi",
        "requestPolicy": {"default": "1Gi", "validRange": {"min": "1Gi", "max": "6Gi", "step": "2Gi"}},
    },
    {"value": "10", "requestPolicy": {"default": "500m", "validRange": {"min": "500m", "step": "250m"}}},
    {"value": "10Gi", "requestPolicy": {"default": "2Gi", "validRange": {"min": "2Gi"}}},
    {"value": "8Gi", "requestPolicy": {"default": "3Gi", "validRange": {"min": "1Gi", "max": "5Gi"}}},
    {"value": "4Gi", "requestPolicy": {"default": "4Gi", "validValues": ["512Mi", "1536Mi", "4Gi"]}},
    {"value": "10Gi", "requestPolicy": {"default": "1Gi", "validRange": {"min": "0", "max": "10Gi", "step": "3Gi"}}},
    {"value": "0", "requestPolicy": {"default": "0", "validValues": ["0"]}},
)
LANES: tuple[Obj, ...] = (
    {"value": "4"},
    {"value": "4", "requestPolicy": {"default": "1", "validValues": ["1", "2", "4"]}},
    {"value": "1", "requestPolicy": {"default": "100m", "validRange": {"min": "100m", "max": "1", "step": "100m"}}},
)
AMOUNTS = ("1Gi", "3Gi", "600m", "1100m", "100Mi", "0", "5Gi", "4Gi", "1536Mi", "9Gi", "11Gi", "1")
TOLERATIONS: tuple[Obj, ...] = (
    {"operator": "Exists"},
    {"key": "k", "operator": "Equal", "value": "v"},
    {"key": "k", "operator": "Exists", "effect": "NoSchedule"},
    {"key": "k", "operator": "Equal", "value": "v", "effect": "NoExecute"},
    {"key": "l", "operator": "Exists"},
    {"operator": "Exists", "effect": "NoExecute"},
)


class Problems:
    """A source of problems; each has Node, Claims, Slices, Classes and Held (claims that are allocated)."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def _chance(self, of: float) -> bool:
        return self._random.random() < of

    def _one(self, *choices: Any) -> Any:
        return self._random.choice(choices)

    def problem(self) -> Obj:
        """The next problem."""
        slices = self._slices()
        only = [SELECTORS[2]] if self._chance(0.6) else []
        known = [
            objects.device_class("gpu", *only, config=[objects.opaque(c=1)] if self._chance(0.5) else ()),
            objects.device_class("any", config=[objects.opaque(c=2)] if self._chance(0.3) else ()),
        ]
        return {
            "Node": objects.node(zone=self._one("z", "y"), rack="x"),
            "Claims": [self._claim(f"c{number}") for number in range(self._one(1, 1, 2))],
            "Slices": slices,
            "Classes": known,
            "Held": [objects.allocated_claim(*self._held(slices))],
        }

    def _slices(self) -> list[Obj]:
        slices: list[Obj] = []
        for pool in self._random.sample(["p1", "p2", "node-a"], self._one(1, 2, 3)):
            counters = self._chance(0.4)
            number = self._one(1, 1, 2)
            common: Any = {
                "driver": self._one(DRIVER, DRIVER, "nic.example.com"),
                "pool": pool,
                "count": number + counters + self._chance(0.08),
            }
            for index in range(number):
                where = self._where()
                devices = [self._device(f"d{index}{n}", where, counters) for n in range(self._one(0, 2, 3, 4))]
                generation = 1 + self._chance(0.08)
                name = f"{self._one(1, 2, 3)}-{pool}-{index}"
                slices.append(objects.pool_slice(name, devices, generation=generation, **common, **where))
            if counters:
                values = {
                    "memory": {"value": self._one("3Gi", "10Gi")},
                    "slots": {"value": self._one("4", "2500m", "0")},
                }
                sets = [{"name": "card", "counters": values}]
                if self._chance(0.5):
                    sets.append({"name": "link", "counters": {"lanes": {"value": self._one("2", "3", "1")}}})
                place = self._one({"allNodes": True}, {"allNodes": True}, {"nodeName": "node-a"})
                slices.append(objects.pool_slice(f"c-{pool}", **common, **place, sharedCounters=sets))
        self._random.shuffle(slices)
        return slices

    def _where(self) -> Obj:
        return dict(
            self._one(
                {"nodeName": "node-a"},
                {"nodeName": "node-a"},
                {"nodeName": "node-b"},
                {"allNodes": True},
                {"nodeSelector": self._selector()},
                {"perDeviceNodeSelection": True},
            )
        )

    def _selector(self) -> Obj:
        values = self._random.sample(["z", "y", "x"], 2)
        return {"nodeSelectorTerms": [{"matchExpressions": [{"key": "zone", "operator": "In", "values": values}]}]}

    def _device(self, name: str, where: Obj, counters: bool) -> Obj:
        device = objects.device(name if self._chance(0.98) else "dup")
        device["attributes"] = {
            "model": {"string": self._one("A", "B")},
            self._one("numa", "gpu.example.com/numa"): {"int": self._one(0, 1)},
        }
        if self._chance(0.15):
            del device["attributes"]["model"]
        if self._chance(0.3):
            values = ({"string": "r0"}, {"string": "r1"}, {"int": 0}, {"bool": True}, {"version": "1.0.0"})
            device["attributes"]["dra.example.com/root"] = self._one(*values)
        if self._chance(0.4):
            device["allowMultipleAllocations"] = True
        if self._chance(0.6):
            shared = device.get("allowMultipleAllocations")
            memory = self._one("memory", "memory", "gpu.example.com/memory")
            device["capacity"] = {memory: dict(self._one(*POLICIES)) if shared else {"value": "8Gi"}}
            if self._chance(0.4):
                device["capacity"]["lanes"] = dict(self._one(*LANES)) if shared else {"value": "4"}
        if self._chance(0.15):
            device["taints"] = [self._taint() for _ in range(self._one(1, 1, 2))]
        if counters and self._chance(0.5):
            device["consumesCounters"] = self._consumed()
        if self._chance(0.05):
            device.update(bindingConditions=["ready"], bindingFailureConditions=["bad"], bindsToNode=True)
        if where.get("perDeviceNodeSelection"):
            device.update(self._one({"nodeName": "node-a"}, {"allNodes": True}, {"nodeSelector": self._selector()}))
        return device

    def _taint(self) -> Obj:
        effect = self._one("NoSchedule", "NoSchedule", "NoExecute", "None")
        return {"key": self._one("k", "k", "l"), "value": self._one("v", "w"), "effect": effect}

    def _consumed(self) -> list[Obj]:
        used = {self._one("memory", "slots"): {"value": self._one("1", "2", "4", "1500m", "1Gi")}}
        if self._chance(0.3):
            used = {"memory": {"value": "1Gi"}, "slots": {"value": "1"}}
        rows = [{"counterSet": self._one("card", "card", "card", "no"), "counters": used}]
        if self._chance(0.3):
            rows.append({"counterSet": "link", "counters": {"lanes": {"value": self._one("1", "2")}}})
        return rows

    def _held(self, slices: list[Obj]) -> list[Obj]:
        held: list[Obj] = []
        for item in slices:
            spec = item["spec"]
            for device in spec.get("devices", ()):
                share: Obj = {}
                if device.get("allowMultipleAllocations"):
                    share["shareID"] = f"00000000-0000-0000-0000-{len(held):012}"
                    if "capacity" in device:
                        share["consumedCapacity"] = {name: self._one("1Gi", "1", "500m") for name in device["capacity"]}
                if self._chance(0.12):
                    where = {"driver": spec["driver"], "pool": spec["pool"]["name"]}
                    if self._chance(0.2):
                        share["adminAccess"] = True
                    held.append(objects.result(device["name"], **where, **share))
        return held

    def _claim(self, name: str) -> Obj:
        requests, names = [], []
        for number in range(self._one(1, 2, 3)):
            request = f"r{number}"
            names.append(request)
            if self._chance(0.3):
                subs = [objects.sub(f"s{n}", cls="any", **self._wish()) for n in range(self._one(1, 2, 3))]
                names += [f"{request}/{sub['name']}" for sub in subs]
                requests.append({"name": request, "firstAvailable": subs})
            else:
                admin = {"adminAccess": self._one(True, False)} if self._chance(0.2) else {}
                requests.append(objects.request(request, cls=self._one("gpu", "any"), **self._wish(), **admin))
        return objects.claim(*requests, name=name, **self._rest(names))

    def _wish(self) -> Obj:
        wish: Obj = {"count": self._one(1, 1, 1, 2, 3)} if self._chance(0.9) else {"allocationMode": "All"}
        if self._chance(0.3):
            wish["selectors"] = [objects.cel(self._one(*SELECTORS))]
        if self._chance(0.2):
            wish["tolerations"] = [self._one(*TOLERATIONS)]
        if self._chance(0.3):
            name = self._one("memory", "memory", "memory", "gpu.example.com/memory", "lanes", "nothing")
            wish["capacity"] = {"requests": {name: self._one(*AMOUNTS)}}
            if self._chance(0.3):
                wish["capacity"]["requests"]["lanes"] = self._one("1", "2", "300m", "3")
        return wish

    def _rest(self, names: list[str]) -> Obj:
        rest: Obj = {}
        if self._chance(0.4):
            rest["constraints"] = [self._constraint(names) for _ in range(self._one(1, 1, 2, 3))]
        if self._chance(0.4):
            rest["config"] = [{**objects.opaque(x=1), "requests": self._random.sample(names, self._one(0, 1, 1))}]
        return rest

    def _constraint(self, names: list[str]) -> Obj:
        kind = self._one("matchAttribute", "distinctAttribute", "distinctAttribute")
        attribute = self._one("gpu.example.com/model", "gpu.example.com/numa", "dra.example.com/root")
        of = {"requests": self._random.sample(names, self._one(1, min(2, len(names))))} if self._chance(0.5) else {}
        return {kind: attribute, **of}
