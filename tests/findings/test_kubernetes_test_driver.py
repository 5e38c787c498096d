"""The findings about Kubernetes' test driver say what its source says; tests/parity looks whether they are found."""

import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from conformance.target import Target
from conformance.target.gomodule import go_is_there

REVIEWED: dict[str, Any] = yaml.safe_load(
    (Path(__file__).parent / "kubernetes-test-driver.yaml").read_text(encoding="utf-8")
)


def test_the_module_is_the_one_that_was_read() -> None:
    section = Target.load("kubernetes-test-driver", process=False).file.build
    assert section
    assert (section.go_module, section.version) == (REVIEWED["module"], REVIEWED["version"])


@pytest.mark.skipif(not go_is_there(), reason="needs Go, which knows where its modules are")
def test_the_source_says_what_was_read_there(go_driver_binary: Path) -> None:  # the module is there once it was built
    cache = subprocess.run(["go", "env", "GOMODCACHE"], capture_output=True, text=True, check=True).stdout.strip()
    module = Path(cache) / f"{REVIEWED['module']}@{REVIEWED['version']}"
    for row in REVIEWED["findings"].values():
        place = row["source"]
        lines = (module / place["file"]).read_text(encoding="utf-8").splitlines()
        assert lines[place["line"] - 1].strip() == place["says"], place
