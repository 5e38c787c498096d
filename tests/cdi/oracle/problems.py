"""Made-up CDI problems from a seed: spec files right and wrong, and a container that wants devices of them."""

import copy
import json
import random
from collections.abc import Callable
from typing import Any

import yaml

Obj = dict[str, Any]
KINDS = ("a.io/gpu", "b.io/nic", "a.io/gpu.big")
NAMES = ("a", "b", "c:1", "0", "d-e_f.g")
VERSIONS = ("0.1.0", "0.2.0", "0.3.0", "v0.4.0", "0.5.0", "0.6.0", "v0.7.0", "0.8.0", "1.0.0", "1.1.0")
TEXTS = (
    "",
    "x",
    "x=1",
    "=1",
    "7",
    "yes",
    "null",
    "0x1f",
    "a/b",
    ".",
    "-a",
    "a-",
    "ä",
    "a\nb",
    "true",
    "1.5",
    "ten or more",
)
NUMBERS = (0, 7, -1, 2**31, 2**32, 2**63, 2**64, 1.5, 1e3, -2.5, True)
VALUES: tuple[Any, ...] = (*TEXTS, *NUMBERS, None, [], {}, [None], ["x"], {"x": 1})
PLACES = ("/", "/x", "/x/", "/x/y", "//x", "x", "/x/../z")


class Problems:
    """A row of problems; the same seed gives the same ones."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def problem(self) -> Obj:
        """One problem, in the shape that the Go program reads."""
        files: list[Obj] = [{}, {}]
        known = []
        for number in range(self._random.choice((1, 1, 2, 3))):
            spec = self._spec()
            known += [f"{spec['kind']}={device['name']}" for device in spec["devices"]]
            name, text = self._file(f"f{number}", spec)
            self._random.choice(files)[name] = text
        wanted = self._random.choices([*known, *known, "a.io/gpu=missing"], k=self._random.choice((0, 1, 2, 3)))
        user = self._random.choice(((0, 0), (0, 0), (1000, 0), (1000, 100)))
        env = self._random.choice(([], ["PATH=/bin", "A=old"]))
        return {"Dirs": files, "Devices": wanted, "Env": env, "User": list(user)}

    def _spec(self) -> Obj:
        devices = [
            {"name": name, "containerEdits": self._edits() or {"env": ["A=1"]}}
            for name in self._random.sample(NAMES, self._random.choice((1, 1, 2, 3)))
        ]
        spec: Obj = {"cdiVersion": "1.1.0", "kind": self._random.choice(KINDS), "devices": devices}
        if self._maybe(0.3):
            spec["cdiVersion"] = self._random.choice(VERSIONS)
        if self._maybe(0.4):
            spec["containerEdits"] = self._edits()
        for where in (spec, *devices):
            if self._maybe(0.05):
                where["annotations"] = {self._random.choice(("a", "b.io/c", "not valid!", "")): "text"}
        return spec

    def _edits(self) -> Obj:
        makers: dict[str, Callable[[], Any]] = {
            "env": lambda: self._random.choice((["A=1"], ["B=2", "A=3=4"], ["PATH=/cdi"])),
            "deviceNodes": lambda: [self._device_node() for _ in range(self._random.choice((1, 2)))],
            "netDevices": lambda: [{"hostInterfaceName": self._pick("e1", "e2"), "name": self._pick("n1", "n2")}],
            "hooks": lambda: [self._hook()],
            "mounts": lambda: [self._mount() for _ in range(self._random.choice((1, 2, 3)))],
            "intelRdt": self._intel_rdt,
            "additionalGids": lambda: self._random.choice(([5], [0, 6], [5, 5, 7])),
        }
        weights = (4, 4, 1, 2, 3, 1, 1)
        keys = set(self._random.choices(list(makers), weights, k=self._random.choice((1, 1, 2, 3))))
        return {key: makers[key]() for key in makers if key in keys}

    def _device_node(self) -> Obj:
        path = self._pick("/dev/null", "/dev/zero", "/dev/made", "/dev/made2", "/dev")
        node: Obj = {"path": path}
        if path.startswith("/dev/made") and self._maybe(0.8):
            node |= {"type": self._pick("c", "b", "u", "p"), "major": self._random.choice((0, 10)), "minor": 3}
        options: Obj = {
            "hostPath": self._pick("/dev/null", "/dev/zero", "/dev/none"),
            "type": self._pick("", "c", "b", "p"),
            "permissions": self._pick("", "r", "rw", "rwm", "none"),
            "fileMode": self._random.choice((0, 0o600, 438)),
            "uid": self._random.choice((0, 44)),
            "gid": self._random.choice((0, 45)),
        }
        return node | {key: value for key, value in options.items() if self._maybe(0.2)}

    def _mount(self) -> Obj:
        mount: Obj = {
            "hostPath": self._pick("/h1", "/h2"),
            "containerPath": self._pick(*PLACES),
        }
        options: Obj = {"options": ["ro", "bind"], "type": self._pick("", "bind")}
        return mount | {key: value for key, value in options.items() if self._maybe(0.3)}

    def _hook(self) -> Obj:
        names = ("prestart", "createRuntime", "createContainer", "startContainer", "poststart", "poststop")
        hook: Obj = {"hookName": self._pick(*names), "path": "/bin/hook"}
        options: Obj = {"args": ["hook", "a"], "env": ["H=1"], "timeout": 3}
        return hook | {key: value for key, value in options.items() if self._maybe(0.4)}

    def _intel_rdt(self) -> Obj:
        fields: Obj = {
            "closID": self._pick("", "/", "c1", ".", "a/b"),
            "l3CacheSchema": "L3:0=f",
            "memBwSchema": "MB:0=10",
            "schemata": self._random.choice(([], ["L3:0=f"])),
            "enableMonitoring": self._maybe(0.5),
        }
        return {key: value for key, value in fields.items() if self._maybe(0.4)}

    def _file(self, name: str, spec: Obj) -> tuple[str, str]:
        """A file's name and content: about half of them as they should be."""
        spec = copy.deepcopy(spec)
        for _ in range(self._random.choice((0, 0, 0, 1, 1, 2))):
            self._spoil(spec)
        if self._maybe(0.5):
            text = json.dumps(spec, indent=self._random.choice((None, 1, "\t")), ensure_ascii=self._maybe(0.5))
            ending = "json"
        else:
            flow = self._random.choice((None, False))
            text, ending = yaml.safe_dump(spec, default_flow_style=flow, sort_keys=False, allow_unicode=True), "yaml"
        if self._maybe(0.06):
            text = self._mangle(text)
        if self._maybe(0.03):
            ending = self._pick("yml", "txt", "JSON")
        return f"{name}.{ending}", text

    def _spoil(self, spec: Obj) -> None:
        """Change one thing somewhere: another value, another name of a field, one field less or more."""
        places: list[tuple[Any, Any]] = []
        _collect(spec, places)
        where, key = self._random.choice(places)
        change = self._random.choice(("value", "value", "value", "drop", "rename", "add", "twice"))
        if change == "value":
            where[key] = self._random.choice(VALUES)
        elif change == "drop":
            del where[key]
        elif change == "twice" and isinstance(where, list):
            where.append(copy.deepcopy(where[key]))
        elif isinstance(where, dict):
            value = where.pop(key) if change == "rename" else 1
            where[str(key).swapcase() if change == "rename" else self._pick("surplus", "<<", "name")] = value

    def _mangle(self, text: str) -> str:
        at = self._random.randrange(len(text) + 1)
        what = self._random.choice(("", "[", '"', "\t", "\x00", "---\n", "&a ", "*a", "!!int ", "\n", "- ", "#", ","))
        cut = self._random.choice((0, 1, len(text)))
        return text[:at] + what + text[at + cut :]

    def _pick(self, *texts: str) -> str:
        return self._random.choice(texts)

    def _maybe(self, chance: float) -> bool:
        return self._random.random() < chance


def _collect(value: Any, places: list[tuple[Any, Any]]) -> None:
    keys: Any = list(value) if isinstance(value, dict) else range(len(value))
    for key in keys:
        places.append((value, key))
        if isinstance(value[key], dict | list):
            _collect(value[key], places)
