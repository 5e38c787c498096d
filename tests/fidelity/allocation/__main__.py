"""Problems of other seeds, or single ones again: `python -m tests.fidelity.allocation --help`."""

import argparse
import json
import random
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from conformance.cluster.binaries import Wanted, provide
from tests.fidelity.allocation.families import problems
from tests.fidelity.allocation.run import solve
from tests.fidelity.sides import Clusters


def main() -> int:
    """0 when all came out the same, 1 when not."""
    parser = argparse.ArgumentParser(prog="python -m tests.fidelity.allocation", description=__doc__)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000), help="default: a new one")
    parser.add_argument("--problems", type=int, default=100, help="how many (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=1, help="how many seeds, one after the other")
    parser.add_argument("--only", action="append", default=[], help="only the problem of this name, s017 for example")
    parser.add_argument("--print", action="store_true", help="print the problems as JSON and end")
    options = parser.parse_args()
    if options.print:
        chosen = [p for p in problems(options.seed, options.problems) if not options.only or p.name in options.only]
        sys.stdout.write(json.dumps([asdict(p) for p in chosen], indent=1, default=list) + "\n")
        return 0
    binaries = provide(Wanted(), lambda line: sys.stderr.write(f"{line}\n"))
    found = 0
    for seed in range(options.seed, options.seed + options.rounds):
        with tempfile.TemporaryDirectory() as folder, Clusters(binaries, Path(folder)) as both:
            outcome = solve(both.ours.api, both.theirs.api, seed, options.problems, options.only)
        for difference in outcome.differences:
            sys.stdout.write(f"{difference}\n")
        sys.stdout.write(f"{outcome}\n")
        found += len(outcome.differences)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
