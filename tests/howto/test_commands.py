"""Every command that the documents show is run by a test, or has its reason in commands.yaml."""

import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.howto.blocks import DOCUMENTS, blocks
from tests.howto.reading import write_files
from tests.howto.table import Row, row_of, rows
from tests.repository.sources import ROOT

ROWS = list(rows())
BLOCKS = [block for document in DOCUMENTS for block in blocks(document)]
ONE_CHECK = "--conformance-check=registration.registers"
LINKED = ("docs", "examples", "fakegpu", "pyproject.toml", "reference_driver", "tests")
DRIVER = """
drivers: [{name: gpu.example.com}]
process:
  command: ["{python}", -m, reference_driver.gpu, "--kubeconfig={kubeconfig}", "--node-name={node_name}",
            "--plugins-dir={plugins_dir}", "--registry-dir={registry_dir}", "--cdi-dir={cdi_dir}"]
"""


def test_every_block_has_its_row() -> None:
    assert [f"{block.document}: {block.name}" for block in BLOCKS if row_of(block, ROWS) is None] == []


def test_every_row_has_its_block() -> None:
    used = {row_of(block, ROWS) for block in BLOCKS}
    assert [f"{row.document}: {row.block}" for row in ROWS if row not in used] == []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.document}: {row.block}"[:80])
def test_a_row_says_where_or_why(row: Row) -> None:
    assert Counter([bool(row.by), row.here, bool(row.why)])[True] == 1
    for test in filter(None, (row.by, row.like)):
        assert (ROOT / test).is_file()
    if row.by:
        assert Path(row.document).name in (ROOT / row.by).read_text(encoding="utf-8")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """What a reader has: a clone, and a driver file; of the suite it is a copy, as checks are added to it."""
    folder = tmp_path / "clone"
    shutil.copytree(ROOT / "conformance", folder / "conformance", symlinks=True)
    for name in LINKED:
        (folder / name).symlink_to(ROOT / name)
    (folder / "my-driver.yaml").write_text(DRIVER, encoding="utf-8")
    write_files(ROOT / "docs" / "writing-checks.md", folder)
    return folder


@pytest.fixture
def env(clone: Path, tmp_path: Path, kubectl: Path) -> Iterator[dict[str, str]]:
    """Their environment, with a cluster that is up."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "COV"))}
    programs = [f"{sys.prefix}/bin", str(kubectl.parent), os.environ["PATH"]]
    env = kept | {
        "PATH": os.pathsep.join(programs),
        "PYTHONPATH": str(clone),
        "XDG_STATE_HOME": str(tmp_path / "state"),
    }
    shown = run('eval "$(dra-conformance up --background)"; echo "$KUBECONFIG"', clone, env)
    assert shown.returncode == 0, told(shown)
    yield env | {"KUBECONFIG": shown.stdout.strip()}
    run("dra-conformance down --all", clone, env)


def run(script: str, folder: Path, env: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    """Do what a reader types."""
    command = ["bash", "-e", "-o", "pipefail", "-c", script]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=300, check=False)


def test_commands_do_what_the_documents_say(clone: Path, env: dict[str, str], request: pytest.FixtureRequest) -> None:
    wrong = []
    for row in (row for row in ROWS if row.here):
        for name in row.needs:
            request.getfixturevalue(name)
        (block,) = (block for block in BLOCKS if row_of(block, ROWS) == row)
        done = run(block.script, clone, env if row.all else env | {"PYTEST_ADDOPTS": ONE_CHECK})
        unsaid = [text for text in row.says if text not in done.stdout]
        if done.returncode or unsaid:
            wrong.append(f"{row.document}: {block.name}: status {done.returncode}, does not say {unsaid}\n{told(done)}")
    assert wrong == []


def told(done: "subprocess.CompletedProcess[str]") -> str:
    """The end of what a command printed."""
    return f"{done.stdout[-1500:]}\n{done.stderr[-1500:]}"
