"""docs/walkthrough.md, all that it types, on a cluster of kind."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.howto.blocks import Block, blocks
from tests.howto.reading import write_files
from tests.repository.sources import ROOT

WALKTHROUGH = ROOT / "docs" / "walkthrough.md"
REFUSED = "sed 's/enough/wrong/"  # shows what the API server does not take
ANOTHER_CLUSTER = "dra-conformance run"

pytestmark = pytest.mark.skipif(os.environ.get("DRA_KIND") != "1", reason="makes a cluster; run with DRA_KIND=1")


@pytest.fixture
def env(tmp_path: Path, kubectl: Path) -> Iterator[dict[str, str]]:
    """The environment of a reader."""
    programs = [str(Path(sys.executable).parent), str(kubectl.parent), os.environ["PATH"]]
    added = {"PATH": os.pathsep.join(programs), "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(tmp_path / "state")}
    env = {**os.environ, **added}
    yield env
    subprocess.run([sys.executable, "-m", "conformance.cli", "down", "--all"], env=env, check=True, timeout=180)


def typed(block: Block) -> str:
    """What a reader does with a block: who watches for ever is ended once something was seen, or has come about."""
    if block.name.startswith(REFUSED):
        return f"if {block.script.strip()}; then echo taken; exit 1; fi\n"
    if block.name.startswith(ANOTHER_CLUSTER):
        return ""
    return re.sub(r"^(kubectl .*) --watch$", r"timeout 10 \1 --watch || [ $? = 124 ]", block.script, flags=re.M)


def test_it_goes_as_it_is_told(env: dict[str, str], tmp_path: Path) -> None:
    write_files(WALKTHROUGH, tmp_path)
    script = "\n".join(typed(block) for block in blocks(WALKTHROUGH))
    # Followed by a person these take longer than a kubelet or a scheduler; a script has to wait for them.
    script = script.replace("NODE=", "kubectl wait --for=condition=Ready pod/second --timeout=60s\nNODE=", 1)
    command = ["bash", "-e", "-o", "pipefail", "-c", script]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    for text in (
        "device-03",
        "LATEST-GPU-MODEL",
        "NodePrepareResources",
        "_device=true",
        '"CDI_devices": [',
        "ended default",
    ):
        assert text in done.stdout + done.stderr
    assert "is invalid: spec.devices.requests[0].exactly.selectors[0].cel.expression" in done.stderr
