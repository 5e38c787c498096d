"""How fast things are: `make bench`, or one part of it with `make bench ARGS=driver`.

cluster   the embedded cluster, full of slices
driver    the reference driver beside the Kubernetes test driver, against one real control plane

Each figure stands beside its limit; the exit status is 1 when one is beyond it. The last line of the part `driver`
holds the ratios.
"""

import argparse
from collections.abc import Callable, Iterable, Mapping

from tests.bench import driver, embedded
from tests.bench.figure import Figure, say

PARTS: Mapping[str, Callable[[], Iterable[Figure]]] = {"cluster": embedded.figures, "driver": driver.figures}


def main() -> int:
    """0 when everything keeps to its limit, 1 when not."""
    parser = argparse.ArgumentParser(prog="tests.bench", description=__doc__.partition("\n")[0])
    parser.add_argument("parts", nargs="*", metavar="part", help=f"what to measure: {', '.join(PARTS)} (all)")
    wanted = parser.parse_args().parts or list(PARTS)
    if unknown := sorted(set(wanted) - set(PARTS)):
        parser.error(f"there is no part {', '.join(unknown)}; the parts are {', '.join(PARTS)}")
    missed = 0
    for part in wanted:
        for figure in PARTS[part]():
            say(figure)
            missed += not figure.good
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
