"""One behaviour can be replaced without touching the rest, and the public surface stays as it is."""

import subprocess
import sys
from pathlib import Path

from reference_driver import plugin

from . import careless_driver
from .conftest import Start
from .fake_api import FakeApi


def test_a_driver_with_two_parts_replaced(start: Start, api: FakeApi) -> None:
    one, other = api.claim("one", ("gpu-0",)), api.claim("other", ("gpu-0",))
    driver = start(program=(str(Path(careless_driver.__file__)),))
    answers = driver.prepare(one, other)
    assert [entry.error for entry in answers.values()] == ["", ""]
    assert api.wait_slices(1)[0]["spec"]["pool"]["resourceSliceCount"] == 3


def test_the_public_names() -> None:
    assert sorted(plugin.__all__) == plugin.__all__
    assert all(hasattr(plugin, name) for name in plugin.__all__)


def test_it_knows_nothing_of_the_suite_and_imports_little() -> None:
    program = "import sys, reference_driver.gpu; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in found.stdout.split()}
    assert not loaded & {"conformance", "kubernetes", "pydantic", "yaml", "requests", "tenacity", "prometheus_client"}
