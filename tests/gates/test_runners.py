"""Whole jobs by programs that read and run what the systems do: act for GitHub, gitlab-ci-local for GitLab.

On this machine, without containers. Actions of GitHub's own cannot be had here: stand-ins take their places.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from conformance.report import load
from tests.gates import tools
from tests.gates.jobs import ACTION, GITLAB, WORKFLOW
from tests.gates.test_gates import GOOD, ONE, WRONG, project
from tests.gates.test_shape import OWN_ACTION, commit
from tests.repository.sources import ROOT

_LIMIT = 900
_INPUTS = ("name", "path", "if-no-files-found", "retention-days", "python-version")


def stand_in(folder: Path, used: str, kept: Path) -> str:
    """An action in the place of one of GitHub's; uploading is copying. The option that tells act of it."""
    name = used.partition("@")[0].rpartition("/")[2]
    script = f'rm -rf "{kept}"; cp -r "$WHAT" "{kept}"' if name == "upload-artifact" else "true"
    inputs = {key: {"required": False} for key in _INPUTS}
    step = {"shell": "bash", "run": script, "env": {"WHAT": "${{ inputs.path }}"}}
    action = {"name": name, "description": name, "inputs": inputs, "runs": {"using": "composite", "steps": [step]}}
    (folder / name).mkdir(parents=True)
    (folder / name / "action.yml").write_text(yaml.safe_dump(action), encoding="utf-8")
    return f"--local-repository={used}={folder / name}"


@pytest.mark.parametrize(("module", "status"), [(GOOD, 0), (WRONG, 1)])
def test_the_workflow_of_github(module: str, status: int, tmp_path: Path) -> None:
    act = tools.go_program(tools.ACT)
    folder = project(tmp_path / "driver", module)
    (folder / "Makefile").write_text("my-driver:\n\ttrue\n", encoding="utf-8")
    (folder / ".github" / "workflows").mkdir(parents=True)
    text = WORKFLOW.read_text(encoding="utf-8")
    text = text.replace("driver: my-driver.yaml\n", f"driver: my-driver.yaml\n          arguments: {ONE}\n")
    (folder / ".github" / "workflows" / "conformance.yml").write_text(text, encoding="utf-8")
    commit(folder)
    used = sorted(set(re.findall(r"uses: (actions/\S+)", text + ACTION.read_text(encoding="utf-8"))))
    kept = tmp_path / "uploaded"
    own = OWN_ACTION.replace("/examples/gates/github", "")
    options = [f"--local-repository={own}={ROOT}"]
    options += [stand_in(tmp_path / "actions", name, kept) for name in used]
    home = {"HOME": str(tmp_path / "home"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = subprocess.run(
        [act, "pull_request", "--job=embedded", "--platform=ubuntu-24.04=-self-hosted", *options],
        cwd=folder,
        env={**os.environ, **home},
        capture_output=True,
        text=True,
        timeout=_LIMIT,
        check=False,
    )
    said = done.stdout + done.stderr
    assert done.returncode == status, said
    assert load(kept / "report.json").exit_status == status
    assert ("Job succeeded" in said, "Job failed" in said) == (status == 0, status == 1)


@pytest.mark.parametrize(("module", "status"), [(GOOD, 0), (WRONG, 1)])
def test_the_job_of_gitlab(module: str, status: int, tmp_path: Path) -> None:
    program = tools.npm_program(tools.GITLAB_CI_LOCAL)
    assert shutil.which("rsync"), "gitlab-ci-local needs rsync: apt install rsync"
    folder = project(tmp_path / "driver", module)
    shutil.copy(GITLAB, folder / ".gitlab-ci.yml")
    commit(folder)
    given = [f"--variable={row}" for row in ("CI_PIPELINE_SOURCE=merge_request_event", f"DRA_ARGUMENTS={ONE}")]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["node", program, "--force-shell-executor", *given, "conformance"],
        cwd=folder,
        env={**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=_LIMIT,
        check=False,
    )
    assert done.returncode == status, done.stdout + done.stderr
    (kept,) = (folder / ".gitlab-ci-local" / "artifacts").rglob("conformance-report")  # whatever the job ended with
    assert load(kept / "report.json").exit_status == status
    assert (kept / "junit.xml").is_file()
