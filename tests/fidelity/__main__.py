"""Other seeds, more requests, and single cases again: `python -m tests.fidelity --help`."""

import argparse
import random
import sys
import tempfile
from pathlib import Path

from conformance.cluster.binaries import Wanted, provide
from tests.fidelity.compare import Compared
from tests.fidelity.registry import cases
from tests.fidelity.score import ask, transcript
from tests.fidelity.sides import ApiServers


def main() -> int:
    """0 when all answers were the same, 1 when not."""
    parser = argparse.ArgumentParser(prog="python -m tests.fidelity", description=__doc__)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000), help="default: a new one")
    parser.add_argument("--requests", type=int, default=2000, help="how many cases (default: %(default)s)")
    parser.add_argument("--family", action="append", default=[], help="only this one; may be given several times")
    parser.add_argument("--case", type=int, help="only this number, with all that was said")
    parser.add_argument("--texts", action="store_true", help="messages have to be the same, too")
    parser.add_argument("--show", type=int, default=30, help="how many differences are printed (default: %(default)s)")
    options = parser.parse_args()
    compared = Compared(options.texts, managed=True)
    binaries = provide(Wanted(), lambda line: sys.stderr.write(f"{line}\n"))
    with tempfile.TemporaryDirectory() as folder, ApiServers(binaries, Path(folder)) as servers:
        if options.case is not None:
            row = cases(options.seed, options.case + 1, options.family)[-1]
            ours, theirs = servers.run([row.case])
            sys.stdout.write(transcript(row, ours[0], theirs[0]) + "\n")
            return 0
        score = ask(servers, options.seed, options.requests, options.family, compared)
    for finding in score.findings[: options.show]:
        sys.stdout.write(f"{finding}\n")
    sys.stdout.write(f"{score}\n")
    return 1 if score.findings else 0


if __name__ == "__main__":
    sys.exit(main())
