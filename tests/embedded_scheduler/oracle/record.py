"""Compares our allocator with Kubernetes' own, and records problems with Kubernetes' answers.

    cd tests/embedded_scheduler/oracle && go mod tidy && go build -o <program> .
    python -m tests.embedded_scheduler.oracle.record <program> [number of problems] [seed]

Both are asked all problems; each difference is printed. When there is none, the smallest problems of each outcome go
into recorded.jsonl.
"""

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from conformance.cluster.embedded.scheduler.allocator import allocate
from conformance.cluster.embedded.scheduler.model import Allocated, AllocationError, UnsuitableNode
from conformance.cluster.embedded.scheduler.pools import Pools
from tests.embedded_scheduler.objects import Obj, classes
from tests.embedded_scheduler.oracle.problems import Problems

RECORDED = Path(__file__).with_name("recorded.jsonl")
# How many problems are kept: of those with a solution, and of each other outcome.
SOLVED, OTHERS = 40, 4


def ours(problem: Obj) -> Obj:
    """Our answer, in the shape of the program's."""
    try:
        found = allocate(
            problem["Claims"],
            problem["Node"],
            Pools(problem["Slices"]),
            classes(*problem["Classes"]),
            Allocated.of(problem["Held"]),
        )
    except (AllocationError, UnsuitableNode) as error:
        return {"error": str(error)}
    return {"result": found}


def comparable(value: Any) -> Any:
    """The answer without share IDs, which are drawn at random."""
    if isinstance(value, dict):
        return {key: "…" if key == "shareID" else comparable(item) for key, item in value.items()}
    return [comparable(item) for item in value] if isinstance(value, list) else value


def outcome(answer: Obj) -> str:
    """Problems with the same outcome are of the same kind."""
    if "error" in answer:
        return re.sub(r"\S*\d\S*|#\d", "", answer["error"])[:70]
    return "solved" if answer["result"] else "no solution"


def main(program: str, number: str = "1000", seed: str = "1") -> int:
    """Exit status: 1 when an answer differs."""
    source = Problems(int(seed))
    problems = [source.problem() for _ in range(int(number))]
    lines = "\n".join(json.dumps(problem) for problem in problems)
    done = subprocess.run([program], input=lines, capture_output=True, text=True, check=True)
    answers = [comparable(json.loads(line)) for line in done.stdout.splitlines()]
    pairs = list(zip(problems, answers, strict=True))
    different = [(p, theirs) for p, theirs in pairs if comparable(ours(p)) != theirs]
    for problem, theirs in different:
        sys.stdout.write(
            f"{json.dumps(problem)}\n  ours   {json.dumps(ours(problem))}\n  theirs {json.dumps(theirs)}\n"
        )
    kinds = Counter(outcome(answer) for answer in answers)
    sys.stdout.write(f"{len(different)} of {len(problems)} differ; outcomes: {dict(kinds.most_common())}\n")
    if not different:
        _record(pairs)
    return bool(different)


def _record(pairs: list[tuple[Obj, Obj]]) -> None:
    kept: Counter[str] = Counter()
    rows = []
    for problem, answer in sorted(pairs, key=lambda pair: len(json.dumps(pair))):
        kind = outcome(answer)
        # Problems without much in them teach little.
        full = len(json.dumps(problem)) > (2500 if kind == "solved" else 1500)
        if full and kept[kind] < (SOLVED if kind == "solved" else OTHERS):
            kept[kind] += 1
            rows.append(json.dumps({"problem": problem, "answer": answer}, separators=(",", ":")))
    RECORDED.write_text("\n".join(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
