"""`make parity`: the mutants on real nodes, all that can be; what came of each is kept, with its date.

    python -m tests.mutants.all_on_kind [FAULT…] [--missing] [--clusters=N]

Exit status 1 when one is not found there as it is on the embedded cluster. One that was tried is written down at once:
a run that is ended loses nothing, and `--missing` goes on with those of which nothing is written.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from tests.at_once import results
from tests.kept import kept_cluster
from tests.mutants.kills import killers
from tests.mutants.mutant import Mutant, all_mutants
from tests.mutants.on_kind import able, judge_on_kind
from tests.mutants.seen import Seen, read_seen, write_seen


def try_all(arguments: Sequence[str] | None = None) -> int:
    """Run what is asked for; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants.all_on_kind", description=__doc__)
    parser.add_argument("names", nargs="*", help="faults to try; all that can be tried there when none is named")
    parser.add_argument("--missing", action="store_true", help="leave out those that were tried before")
    parser.add_argument("--clusters", type=int, default=1, help="clusters at once (%(default)s); each takes a few GiB")
    options = parser.parse_args(arguments)
    there = {mutant.name: mutant for mutant in able(all_mutants())}
    if unknown := set(options.names) - set(there):
        parser.error(f"not to be tried on real nodes: {', '.join(sorted(unknown))}; they are {', '.join(there)}")
    kept = {name: seen for name, seen in read_seen().items() if name in there}
    done = kept if options.missing else {}
    chosen = [each for name, each in there.items() if name not in done and name in (options.names or there)]
    wrong = 0
    with kept_cluster(), results(_try, chosen, options.clusters) as tried:
        for number, (mutant, seen) in enumerate(tried, 1):
            kept[mutant.name] = seen
            write_seen(kept)
            wrong += bool(seen.wrong)
            found = "".join(f"\n    {text}" for text in seen.wrong) or " " + ", ".join(seen.found)
            sys.stdout.write(f"[{number}/{len(chosen)}] {mutant.name} {seen.seconds} s:{found}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{len(chosen)} wrong drivers on kind, {wrong} of them not found as said\n")
    return int(bool(wrong))


def _try(mutant: Mutant) -> Seen:
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="dc-mutant-") as folder:
        try:
            judged, wrong = judge_on_kind(mutant, Path(folder))
        except AssertionError as error:  # no report
            judged, wrong = {}, [str(error).strip().splitlines()[-1]]
    today = datetime.now(UTC).date().isoformat()
    return Seen(today, round(time.monotonic() - began), tuple(sorted(killers(judged))), tuple(wrong))


if __name__ == "__main__":
    raise SystemExit(try_all())
