"""Records what Kubernetes' own CEL says to drawn expressions, for tests without Go.

cd tests/embedded_scheduler/oracle && go mod tidy && go build -o <program> .
python -m tests.embedded_scheduler.oracle.selectors <program> [number of expressions] [seed]
"""

import json
import subprocess
import sys
from pathlib import Path
from random import Random

from tests.fidelity.expressions import DOMAIN, Expressions

RECORDED = Path(__file__).with_name("selectors.jsonl")
DEVICE = {
    "name": "gpu-0",
    "attributes": {
        f"{DOMAIN}/index": {"int": 1},
        f"{DOMAIN}/model": {"string": "A100"},
        f"{DOMAIN}/healthy": {"bool": True},
        f"{DOMAIN}/version": {"version": "1.2.3"},
        "other.example.com/x": {"int": 5},
        "model": {"string": "abc"},
    },
    "capacity": {f"{DOMAIN}/memory": {"value": "40Gi"}, "memory": {"value": "1500m"}},
}
# Nobody evaluates what the API server refuses for its cost: it could take long.
_MAX_COST = 1_000_000
_LONGEST = 300


def main(program: str, number: str = "450", seed: str = "12") -> int:
    """Ask the program and write selectors.jsonl."""
    source = Expressions(Random(int(seed)))
    drawn = [text for text in dict.fromkeys(source.draw() for _ in range(int(number))) if len(text) < _LONGEST]
    lines = "\n".join(json.dumps(line) for line in (DEVICE, *drawn))
    asked = subprocess.run([program, "selectors"], input=lines, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in asked.stdout.splitlines()]
    with RECORDED.open("w") as file:
        for expression, answer in zip(drawn, answers, strict=True):
            if int(answer.get("cost", 0)) > _MAX_COST:
                answer = {key: answer[key] for key in ("cost",)}
            file.write(json.dumps({"expression": expression, **answer}, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
