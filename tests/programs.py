"""Builds, once, the programs that some tests need: python -m tests.programs.

Run before the tests, so that no build takes the processors away from them. Without Go, or a C compiler, those tests are
skipped by name.
"""

import os
import sys

from conformance.cluster.binaries import BinariesError, Wanted, provide
from conformance.cluster.binaries.version import DEFAULT_VERSION
from conformance.cluster.kind.charts import provide_helm
from conformance.cluster.kind.programs import kubectl_command
from conformance.target import Target, TargetError
from conformance.verdict import Inconclusive
from fakegpu.nvml.build import BuildError, library
from tests.fetched import Missing
from tests.report import consumers


def say(line: str) -> None:
    """Tell what goes on."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    """Exit status 1 where something cannot be had and DRA_REQUIRE_GO=1 is in the environment, else 0."""
    missing = False
    try:
        Target.load("kubernetes-test-driver").build(say)
    except TargetError as error:
        missing = True
        say(f"without the Kubernetes test driver: {error}")
    try:
        Target.load("pydra-tpu").build(say)
    except (TargetError, Inconclusive) as error:
        missing = True
        say(f"without kubernetes-pydra: {error}")
    try:
        provide(Wanted(), say)
    except BinariesError as error:
        missing = True
        say(f"without a control plane: {error}")
    try:
        provide_helm(say)
    except Inconclusive as error:
        missing = True
        say(f"without helm: {error}")
    try:
        kubectl_command(DEFAULT_VERSION, say)
    except Inconclusive as error:
        missing = True
        say(f"without kubectl: {error}")
    try:
        library()
    except BuildError as error:
        missing = True
        say(f"without the fake libnvidia-ml: {error}")
    try:
        consumers.fetch_all()
    except Missing as error:
        missing = True
        say(f"without what reads reports: {error}")
    return int(missing and os.environ.get("DRA_REQUIRE_GO") == "1")


if __name__ == "__main__":
    raise SystemExit(main())
