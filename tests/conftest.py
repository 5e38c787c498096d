"""Fixtures that several parts of the tests share."""

import ctypes
import importlib
import os
import sys
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, NoReturn

import pytest

from conformance.cluster.binaries import Binaries, BinariesError, Wanted, provide
from conformance.cluster.binaries.version import DEFAULT_VERSION
from conformance.cluster.kind.charts import provide_helm
from conformance.cluster.kind.programs import kubectl_command
from conformance.session.rundir import RunDir
from conformance.target import Target, TargetError
from conformance.verdict import Inconclusive
from fakegpu.nvml.build import BuildError, library
from tests.kept import kept_cluster
from tests.report.browser import NO_CHROMIUM, find_chromium, running

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ON_REAL_CLUSTERS = ("kind", "existing", "image", "parity", "gates")  # folders of tests
UNTIL = "DRA_UNTIL"
"""Environment variable: the time, in seconds since 1970, after which no test begins. A job that is ended from outside
tells nothing of what it has found; on a slow machine it is better that the last tests are left out, and named."""
OVER = f"no time was left: {UNTIL} has passed"


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Begin no test that would end too late."""
    if time.time() > float(os.environ.get(UNTIL, "inf")):
        pytest.skip(OVER)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where real clusters were asked for, a test of theirs that is skipped has failed."""
    report = yield
    wanted = os.environ.get("DRA_KIND") == "1" and set(ON_REAL_CLUSTERS) & set(item.path.parts)
    if wanted and report.skipped and OVER not in str(report.longrepr):
        report.outcome, report.longrepr = "failed", f"skipped although DRA_KIND=1: {report.longrepr}"
    return report


@pytest.fixture(scope="session")
def kept() -> Iterator[str]:
    """The option for runs on the one cluster of kind that they use after each other; it ends with the tests."""
    with kept_cluster() as option:
        yield option


@pytest.fixture(scope="session")
def go_driver_binary() -> Path:
    """The Kubernetes project's test driver; the first time it is built with Go, which takes minutes.

    Without Go the test is skipped, or fails where DRA_REQUIRE_GO=1 is in the environment.
    """
    try:
        binary = Target.load("kubernetes-test-driver").build(lambda line: sys.stderr.write(f"{line}\n"))
    except TargetError as error:
        _cannot_build(str(error))
    if binary is None:
        _cannot_build("its driver file has no section `build`")
    return binary


@pytest.fixture(scope="session")
def pydra() -> Path:
    """The Python that has kubernetes-pydra; the first time it is installed from PyPI.

    Without a way there the test is skipped, or fails where DRA_REQUIRE_GO=1 is in the environment.
    """
    try:
        python = Target.load("pydra-tpu").build(lambda line: sys.stderr.write(f"{line}\n"))
    except Inconclusive as error:
        _cannot_build(str(error))
    if python is None:
        _cannot_build("its driver file has no section `python`")
    return python


@pytest.fixture(scope="session")
def binaries() -> Binaries:
    """etcd and Kubernetes' programs: found, or built once with Go, which takes about ten minutes.

    Without either the test is skipped, or fails where DRA_REQUIRE_GO=1 is in the environment.
    """
    try:
        return provide(Wanted(), lambda line: sys.stderr.write(f"{line}\n"))
    except BinariesError as error:
        _cannot_build(str(error))


@pytest.fixture(scope="session")
def helm() -> Path:
    """helm: found, or built once with Go; without either the test is skipped, or fails with DRA_REQUIRE_GO=1."""
    try:
        return provide_helm(lambda line: sys.stderr.write(f"{line}\n"))
    except Inconclusive as error:
        _cannot_build(str(error))


@pytest.fixture(scope="session")
def kubectl() -> Path:
    """kubectl of the version that the embedded cluster plays, built once with Go; without Go what is on PATH.

    Without either the test is skipped, or fails with DRA_REQUIRE_GO=1.
    """
    try:
        return kubectl_command(DEFAULT_VERSION, lambda line: sys.stderr.write(f"{line}\n"))
    except Inconclusive as error:
        _cannot_build(str(error))


@pytest.fixture(scope="session")
def libnvml() -> Path:
    """The fake libnvidia-ml: built once with a C compiler.

    Without one the test is skipped, or fails where DRA_REQUIRE_GO=1 is in the environment.
    """
    try:
        return library()
    except BuildError as error:
        _cannot_build(str(error))


@pytest.fixture(scope="session")
def pynvml(libnvml: Path) -> ModuleType:
    """nvidia-ml-py. The loader gives it the library that is loaded already, by its name."""
    ctypes.CDLL(str(libnvml), mode=ctypes.RTLD_GLOBAL)
    return importlib.import_module("pynvml")


@pytest.fixture(scope="session")
def chromium() -> Path:
    """The browser Chromium, a package of Debian; without it the test is skipped, or fails with DRA_REQUIRE_GO=1."""
    command = find_chromium()
    return command if command else _cannot_build(NO_CHROMIUM)


@pytest.fixture(scope="session")
def browser(chromium: Path) -> "Iterator[Browser]":
    """Chromium without a window. One for all tests of a process: playwright does not start twice."""
    with running(chromium) as browser:
        yield browser


@pytest.fixture
def run_dir() -> Iterator[Path]:
    """A folder with a short path, for unix sockets; pytest's own tmp_path can be too long for them."""
    run = RunDir.create()
    yield run.path
    run.close()


@pytest.fixture(scope="session")
def cannot_build() -> Callable[[str], NoReturn]:
    """Skips a test for a reason, or fails it with DRA_REQUIRE_GO=1."""
    return _cannot_build


def _cannot_build(reason: str) -> NoReturn:
    if os.environ.get("DRA_REQUIRE_GO") == "1":
        pytest.fail(f"DRA_REQUIRE_GO=1, and yet something cannot be had: {reason}", pytrace=False)
    pytest.skip(reason)
