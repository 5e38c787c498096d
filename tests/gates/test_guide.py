"""docs/gate.md: its commands work as they stand, its files are there, and it says what the examples do."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from tests.gates.jobs import GATES
from tests.howto.reading import script
from tests.repository.sources import ROOT
from tests.variants import REFERENCE

GUIDE = ROOT / "docs" / "gate.md"
ONE = "--check=registration.registers"


def test_its_commands_work(tmp_path: Path) -> None:
    """With one check instead of all: tests on kind have all of them."""
    (tmp_path / "my-driver.yaml").write_text(REFERENCE.read_text(encoding="utf-8"), encoding="utf-8")
    commands = script(GUIDE)
    run = "dra-conformance run --driver=./my-driver.yaml"
    assert f"{run}\n" in commands
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", commands.replace(run, f"{run} {ONE}")],
        cwd=tmp_path,
        env={**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "registry.example.com/mirror/kindest/node:v1.37.2" in done.stdout
    assert {row["cluster"] for row in json.loads((tmp_path / "images.json").read_text())} == {"kind"}


def test_it_names_every_example() -> None:
    named = set(re.findall(r"\(\.\./(examples/gates/[\w./-]+)\)", GUIDE.read_text(encoding="utf-8")))
    there = {str(path.relative_to(ROOT)) for path in GATES.rglob("*") if path.is_file()}
    assert there <= named
