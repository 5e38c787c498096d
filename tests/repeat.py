"""`make repeat`: the same run of the same driver again and again has the same verdicts.

    python -m tests.repeat [--driver=reference] [--cluster=embedded] [--times=20]

Exit status 1 when two runs differ; each check that differs is named with its verdicts in the order of the runs.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from conformance.verdict import Verdict
from tests.variants import run

Verdicts = dict[str, Verdict]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it as often as asked for; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.repeat", description=__doc__)
    parser.add_argument("--driver", default="reference", help="driver file, or name of one that ships (%(default)s)")
    parser.add_argument("--cluster", default="embedded", help="kind of cluster (%(default)s)")
    parser.add_argument("--times", type=int, default=20, help="how often (%(default)s)")
    options = parser.parse_args(arguments)
    runs = []
    with tempfile.TemporaryDirectory(prefix="dc-repeat-") as folder:
        for number in range(options.times):
            runs.append(run(options.driver, Path(folder, str(number)), f"--cluster={options.cluster}"))
            sys.stdout.write(f"run {number + 1} of {options.times}: {_counted(runs[-1])}\n")
            sys.stdout.flush()
    differing = differences(runs)
    sys.stdout.writelines(f"{line}\n" for line in differing)
    sys.stdout.write(
        f"{options.times} runs of {options.driver} on {options.cluster}: "
        f"{f'{len(differing)} checks differ' if differing else 'the same verdicts'}\n"
    )
    return int(bool(differing))


def differences(runs: Sequence[Verdicts]) -> list[str]:
    """Each check whose verdict is not the same in all runs, with its verdicts."""
    checks = sorted({id for verdicts in runs for id in verdicts})
    found = {id: [verdicts.get(id, "did not run") for verdicts in runs] for id in checks}
    return [f"{id}: {', '.join(verdicts)}" for id, verdicts in found.items() if len(set(verdicts)) > 1]


def _counted(verdicts: Verdicts) -> str:
    values = list(verdicts.values())
    return ", ".join(f"{values.count(verdict)} {verdict}" for verdict in Verdict if verdict in values)


if __name__ == "__main__":
    raise SystemExit(main())
