"""The index of the drivers at hand: python -m tests.index.seeds --runs=build/runs --write=build/index

Runs that the tests have kept, on whatever cluster, are taken; where there is none of a driver on the embedded cluster,
it is run now. They are submitted like those of anybody else; the site is in the folder `site`.

Exit status 1 when a run did not come to its end, or the index is not as `dra-conformance index check` wants it.
"""

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from conformance import __version__
from conformance.identity import suite_digest
from conformance.index.layout import SUBMISSIONS
from tests.variants import ROOT
from tests.whole_runs import FILES, WITHOUT_VERDICT, kept

COMMAND = (sys.executable, "-m", "conformance.cli")
SITE = "site"


@dataclass(frozen=True)
class Seed:
    """A driver at hand: its driver file, and what is said of it. version: for a file that has none."""

    driver: str
    notes: str
    homepage: str = ""
    version: str = ""


SEEDS = (
    Seed("reference", "Comes with the suite, in reference_driver/.", version=__version__),
    Seed("examples/scratch-driver.yaml", "That of the tutorial, in examples/ of the suite.", version=__version__),
    Seed(
        "kubernetes-test-driver",
        "The Kubernetes project's test driver keeps its state in memory only, which is right for its own tests.",
        "https://pkg.go.dev/k8s.io/kubernetes/test/e2e/dra/test-driver",
    ),
    Seed(
        "pydra-tpu",
        "An example of kubernetes-pydra, a framework for drivers in Python.",
        "https://pypi.org/project/kubernetes-pydra/",
    ),
    Seed(
        "pydra-network",
        "An example of kubernetes-pydra, a framework for drivers in Python.",
        "https://pypi.org/project/kubernetes-pydra/",
    ),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the runs that are not there yet, the index and its site."""
    parser = argparse.ArgumentParser(prog="python -m tests.index.seeds", description=__doc__)
    parser.add_argument("--runs", type=Path, required=True, help="folder of runs that are kept")
    parser.add_argument("--write", type=Path, required=True, help="folder of the index")
    options = parser.parse_args(arguments)
    made(options.runs, options.write)
    return 0


def made(runs: Path, index: Path) -> Path:
    """Make the index and return the folder of its site. Raises SystemExit."""
    shutil.rmtree(index / SUBMISSIONS, ignore_errors=True)
    for seed in SEEDS:
        found = kept(runs, suite_digest()).get(seed.driver, [])
        if not any(folder.name.endswith("-embedded") for folder in found):
            found = [*found, _run(seed, runs)]
        for folder in found:
            _told("index", "add", folder, index, *_options(seed))
    _told("index", "check", index)
    _told("index", "site", index, f"--output={index / SITE}")
    return index / SITE


def _options(seed: Seed) -> list[str]:
    return [
        "--organisation=the CI of dra-conformance",
        f"--homepage={seed.homepage}",
        f"--driver-version={seed.version}",
        f"--notes={seed.notes}",
    ]


def _run(seed: Seed, runs: Path) -> Path:
    """A whole run on the embedded cluster, and of it what a submission needs."""
    folder = runs / f"{Path(seed.driver).stem}-embedded"
    shutil.rmtree(folder, ignore_errors=True)
    sys.stdout.write(f"Running {seed.driver} …\n")
    sys.stdout.flush()
    command = [*COMMAND, "run", f"--driver={seed.driver}", f"--report-dir={folder.resolve()}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    file = folder / "report.json"
    if not file.exists() or json.loads(file.read_text(encoding="utf-8"))["outcome"] in WITHOUT_VERDICT:
        raise SystemExit(f"{seed.driver}: no verdict (status {done.returncode})\n{done.stdout[-3000:]}{done.stderr}")
    for path in folder.iterdir():
        if path.name not in FILES:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    return folder


def _told(*arguments: str | Path) -> None:
    done = subprocess.run([*COMMAND, *map(str, arguments)], cwd=Path.cwd(), check=False)
    if done.returncode:
        raise SystemExit(1)


if __name__ == "__main__":
    raise SystemExit(main())
