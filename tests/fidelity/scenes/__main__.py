"""Scenes by hand: python -m tests.fidelity.scenes [word in their names]. Exit status 1 where a scene differs."""

import sys
import tempfile
from pathlib import Path

from conformance.cluster.binaries import Wanted, provide
from tests.fidelity.scenes.play import differences, play
from tests.fidelity.sides import Clusters


def main(word: str) -> int:
    """Play and print; the exit status."""
    binaries = provide(Wanted(), lambda line: sys.stderr.write(f"{line}\n"))
    with tempfile.TemporaryDirectory() as folder, Clusters(binaries, Path(folder)) as clusters:
        ours, theirs = play(clusters, word)
    different = differences(ours, theirs)
    for name, text in different.items():
        sys.stdout.write(f"{name}\n{text}\n\n")
    sys.stdout.write(f"{len(theirs) - len(different)} of {len(theirs)} scenes are the same\n")
    return int(bool(different))


if __name__ == "__main__":
    raise SystemExit(main(" ".join(sys.argv[1:])))
