"""Compares our CDI with the library that container runtimes use, and records problems with the library's answers.

    cd tests/cdi/oracle && go mod tidy && go build -o <program> .
    python -m tests.cdi.oracle.record <program> [number of problems] [seed]

Both are asked all problems; each difference is printed. When there is none, the smallest problems of each outcome go
into recorded.jsonl.
"""

import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from conformance.cluster.cdi import CdiError, CdiRegistry, inject
from tests.cdi.oracle.problems import Obj, Problems

RECORDED = Path(__file__).with_name("recorded.jsonl")
# How many problems are kept of each outcome.
KEPT = 1


def ours(problem: Obj) -> Obj:
    """Our answer, in the shape of `comparable`."""
    with tempfile.TemporaryDirectory() as root:
        folders = [Path(root) / str(number) for number in range(len(problem["Dirs"]))]
        for folder, files in zip(folders, problem["Dirs"], strict=True):
            folder.mkdir()
            for name, text in files.items():
                (folder / name).write_bytes(text.encode())
        registry = CdiRegistry(folders)
        errors = {
            str(path.relative_to(root)): _lines(text.replace(root, "{root}"))
            for path, text in registry.errors().items()
        }
        answer: Obj = {"errors": errors, "devices": sorted(registry.devices())}
        if problem["Devices"]:
            env = dict(entry.split("=", 1) for entry in problem["Env"])
            try:
                made = inject(registry, problem["Devices"], env=env, user=tuple(problem["User"]))
            except CdiError as error:
                answer["error"] = str(error).removeprefix("CDI device injection failed: ").replace(root, "{root}")
            else:
                answer["container"] = _ours(made)
        return answer


def comparable(answer: Obj) -> Obj:
    """The library's answer, with what an OCI spec has for a container in the names of CDI."""
    if "panic" in answer:
        return answer
    errors = {path: _lines("\n".join(texts)) for path, texts in answer["errors"].items()}
    same: Obj = {"errors": errors, "devices": sorted(answer["devices"] or ())}
    same |= {key: answer[key] for key in ("error",) if key in answer}
    if "container" in answer:
        same["container"] = _theirs(answer["container"])
    return same


def agree(problem: Obj, theirs: Obj) -> bool:
    """Whether we say the same. A file that makes the library crash is one that we refuse."""
    mine = ours(problem)
    if "panic" in theirs:
        return any("nil pointer" in line for lines in mine["errors"].values() for line in lines)
    return mine == theirs


def _lines(text: str) -> list[str]:
    # What is wrong with text that is no YAML, and in which line, two parsers may tell differently.
    return sorted(
        re.sub(r"(yaml: )(line \d+: )?(did not|could not|found|block|mapping values) .*", r"\1…", text).splitlines()
    )


def _ours(made: Any) -> Obj:
    hooks: Obj = {}
    for hook in made.hooks:
        hooks.setdefault(hook["hookName"], []).append({k: v for k, v in hook.items() if k != "hookName" and v})
    keys = ("path", "type", "major", "minor", "fileMode", "uid", "gid")
    devices = [{key: device[key] for key in keys if device.get(key) is not None} for device in made.devices]
    mounts = [{key: m[key] for key in ("hostPath", "containerPath", "type", "options") if m[key]} for m in made.mounts]
    return {
        "env": [f"{name}={value}" for name, value in made.env.items()],
        "gids": made.additional_gids,
        "devices": devices,
        "rules": made.device_rules,
        "mounts": mounts,
        "hooks": hooks,
        "netDevices": made.net_devices,
        "intelRdt": None if made.intel_rdt is None else {k: v for k, v in made.intel_rdt.items() if v},
    }


def _theirs(spec: Obj) -> Obj:
    linux, process = spec.get("linux") or {}, spec.get("process") or {}
    names = {"source": "hostPath", "destination": "containerPath", "type": "type", "options": "options"}
    devices = [{"major": 0, "minor": 0, **device} for device in linux.get("devices") or ()]
    rules = [
        {key: rule.get(key, "") for key in ("type", "major", "minor", "access")}
        for rule in (linux.get("resources") or {}).get("devices") or ()
    ]
    rdt = linux.get("intelRdt")
    return {
        "env": process.get("env") or [],
        "gids": (process.get("user") or {}).get("additionalGids") or [],
        "devices": devices,
        "rules": rules,
        "mounts": [{names[key]: value for key, value in mount.items() if value} for mount in spec.get("mounts") or ()],
        "hooks": spec.get("hooks") or {},
        "netDevices": {host: device.get("name", "") for host, device in (linux.get("netDevices") or {}).items()},
        "intelRdt": rdt,
    }


def outcome(answer: Obj) -> list[str]:
    """What kinds of things the answer says; problems with the same kinds are alike."""
    if "panic" in answer:
        return ["panic"]
    texts = [line for lines in answer["errors"].values() for line in lines]
    if "error" in answer:
        texts.append(answer["error"])
    kinds = {_kind(text) for text in texts}
    if "container" in answer:
        kinds |= {f"container with {key}" for key, value in answer["container"].items() if value}
    return sorted(kinds)


def _kind(text: str) -> str:
    said = text.removeprefix("failed to load CDI Spec ").removeprefix("invalid CDI Spec: ").split("yaml: ")[-1]
    said = re.sub(r"line \d+|\{root\}\S*|\"[^\"]*\"|`[^`]*`|(?<=field )\S+|[ab]\.io\S*|'[^']*'", "", said)
    return said.replace("failed add device ", "").strip()[:60]


def main(program: str, number: str = "1000", seed: str = "1") -> int:
    """Exit status: 1 when an answer differs."""
    source = Problems(int(seed))
    problems = [source.problem() for _ in range(int(number))]
    lines = "\n".join(json.dumps(problem) for problem in problems)
    done = subprocess.run([program], input=lines, capture_output=True, text=True, check=True)
    answers = [comparable(json.loads(line)) for line in done.stdout.splitlines()]
    pairs = list(zip(problems, answers, strict=True))
    different = [(problem, theirs) for problem, theirs in pairs if not agree(problem, theirs)]
    for problem, theirs in different:
        mine = ours(problem)
        sys.stdout.write(f"{json.dumps(problem)}\n")
        for key in sorted({*mine, *theirs}):
            if mine.get(key) != theirs.get(key):
                sys.stdout.write(f"  ours   {key} {json.dumps(mine.get(key))}\n")
                sys.stdout.write(f"  theirs {key} {json.dumps(theirs.get(key))}\n")
    kinds = Counter(kind for answer in answers for kind in outcome(answer))
    sys.stdout.write(f"{len(different)} of {len(problems)} differ; {len(kinds)} kinds of outcomes\n")
    if not different:
        _record(pairs)
    return bool(different)


def _record(pairs: list[tuple[Obj, Obj]]) -> None:
    kept: Counter[str] = Counter()
    rows = []
    for problem, answer in sorted(pairs, key=lambda pair: len(json.dumps(pair))):
        kinds = outcome(answer)
        if any(kept[kind] < KEPT for kind in kinds):
            kept.update(kinds)
            rows.append(json.dumps({"problem": problem, "answer": answer}, separators=(",", ":")))
    RECORDED.write_text("\n".join(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
