"""The examples of gates as other people's CI runs them: their own shell steps, in a folder that has a driver in it."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tests.repository.sources import ROOT

GATES = ROOT / "examples" / "gates"
ACTION = GATES / "github" / "action.yml"
WORKFLOW = GATES / "github" / "workflow.yml"
GITLAB = GATES / "gitlab" / "conformance.gitlab-ci.yml"
TEKTON = {kind: GATES / "tekton" / f"task-{kind}.yaml" for kind in ("embedded", "kind")}
PROW = GATES / "prow" / "jobs.yaml"
STRICT = ("-eo", "pipefail")
"""How GitHub and GitLab start bash."""
CLUSTERS = ("embedded", "kind")
PUBLISHED = "kindest/node:v1.37.0@sha256:a1ed56cfb0e7b93589bdf97c8cd566405a265939e3620fc4f5de89adff580ae5"
_EXPRESSION = re.compile(r"\$\{\{ (inputs|steps)\.([\w.-]+) \}\}")
_LIMIT = 900


@dataclass(frozen=True)
class Ended:
    """How a job ended: its status and output, and where its report and the JUnit file are that the CI reads."""

    status: int
    said: str
    report: Path
    junit: Path


@dataclass(frozen=True)
class Job:
    """What is asked of a job: the folder with the driver, its file, more arguments, the image of nodes for kind."""

    folder: Path
    driver: str = "my-driver.yaml"
    cluster: str = "embedded"
    arguments: Sequence[str] = ()
    nodes: str = PUBLISHED

    def bash(
        self, script: str, env: Mapping[str, str], arguments: Sequence[str] = (), flags: Sequence[str] = ()
    ) -> subprocess.CompletedProcess[str]:
        """Run a script as a file, with the suite's commands and `start-docker-engine` on PATH, as in its image."""
        bin_ = self.folder / ".bin"
        bin_.mkdir(exist_ok=True)
        engine = bin_ / "start-docker-engine"
        if not engine.is_symlink():
            engine.symlink_to(ROOT / "kind" / "engine.sh")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "COV", "GITHUB_"))}
        path = os.pathsep.join([str(bin_), str(Path(sys.executable).parent), kept["PATH"]])
        env = {**kept, "PATH": path, "PYTHONPATH": str(ROOT), **env}
        file = bin_ / "step.sh"
        file.write_text(script, encoding="utf-8")
        command = ["bash", "--noprofile", "--norc", *flags, str(file), *arguments]
        return subprocess.run(
            command, cwd=self.folder, env=env, capture_output=True, text=True, timeout=_LIMIT, check=False
        )


def github(job: Job) -> Ended:
    """The steps of the action in order, as a runner goes through them; those that use other actions are passed by."""
    action = yaml.safe_load(ACTION.read_text(encoding="utf-8"))
    given = {"driver": job.driver, "cluster": job.cluster, "arguments": "\n".join(job.arguments)}
    values = {f"inputs.{name}": str(row.get("default", "")) for name, row in action["inputs"].items()}
    values |= {f"inputs.{name}": value for name, value in given.items()}
    if job.cluster == "kind":
        values["inputs.kind-image"] = job.nodes
    status, said = 0, ""
    for step in action["runs"]["steps"]:
        condition = step.get("if", "success()")
        if "run" not in step or (status and condition != "always()"):
            continue
        if condition.startswith("inputs.") and values[condition.split()[0]] != condition.split()[2].strip("'"):
            continue
        done = _github_step(job, step, values)
        said += done.stdout + done.stderr
        status = status or done.returncode
    assert values[action["outputs"]["status"]["value"].split()[1]] == str(status)
    report = job.folder / values["inputs.report-dir"]
    return Ended(status, said, report, report / "junit.xml")


def _github_step(job: Job, step: Mapping[str, Any], values: dict[str, str]) -> subprocess.CompletedProcess[str]:
    files = {name: job.folder / ".bin" / name.lower() for name in ("GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_ENV")}
    files["GITHUB_OUTPUT"].parent.mkdir(exist_ok=True)
    files["GITHUB_OUTPUT"].write_text("", encoding="utf-8")
    env = {
        name: _EXPRESSION.sub(lambda m: values[f"{m[1]}.{m[2]}"], text) for name, text in step.get("env", {}).items()
    }
    env |= {name: str(path) for name, path in files.items()}
    env |= {"GITHUB_ACTION_PATH": str(ACTION.parent), "RUNNER_TEMP": str(job.folder / ".bin")}
    if files["GITHUB_PATH"].exists():
        added = files["GITHUB_PATH"].read_text(encoding="utf-8").splitlines()
        env["PATH"] = os.pathsep.join([*added, str(Path(sys.executable).parent), os.environ["PATH"]])
    done = job.bash(step["run"], env, flags=STRICT)
    for line in files["GITHUB_OUTPUT"].read_text(encoding="utf-8").splitlines():
        name, _, value = line.partition("=")
        values[f"steps.{step['id']}.outputs.{name}"] = value
    return done


def gitlab(job: Job) -> Ended:
    """The script of a job, with the variables of the file and those that a project sets."""
    template = yaml.safe_load(GITLAB.read_text(encoding="utf-8"))
    made = {
        **template[".dra-conformance"],
        **template["conformance" if job.cluster == "embedded" else "conformance-kind"],
    }
    env = {**template["variables"], "DRA_DRIVER": job.driver, "DRA_ARGUMENTS": " ".join(job.arguments)}
    env |= {"DRA_KIND_IMAGE": job.nodes}
    done = job.bash("\n".join(made["script"]), env, flags=STRICT)
    report = job.folder / made["artifacts"]["paths"][0]
    return Ended(done.returncode, done.stdout + done.stderr, report, job.folder / made["artifacts"]["reports"]["junit"])


def tekton(job: Job) -> Ended:
    """The step of the Task, its parameters, workspaces and results put into its environment as the controller does."""
    (step,) = (task := yaml.safe_load(TEKTON[job.cluster].read_text(encoding="utf-8"))["spec"])["steps"]
    report, status = job.folder / "workspace", job.folder / "status"
    report.mkdir()
    values = {row["name"]: row["default"] for row in task["params"]} | {"driver": job.driver, "kindImage": job.nodes}
    variables = {f"params.{name}": value for name, value in values.items()}
    variables |= {"workspaces.source.path": str(job.folder), "workspaces.report.path": str(report)}
    variables["results.status.path"] = str(status)
    env = {row["name"]: variables[row["value"][2:-1]] for row in step["env"]}
    assert step["workingDir"] == "$(workspaces.source.path)"
    done = job.bash(step["script"], env, job.arguments)
    assert status.read_text(encoding="utf-8") == str(done.returncode)
    folder = report / "conformance-report"
    return Ended(done.returncode, done.stdout + done.stderr, folder, folder / "junit.xml")


def prow(job: Job) -> Ended:
    """What the job's container is told to run, and the folder that Prow keeps."""
    jobs = yaml.safe_load(PROW.read_text(encoding="utf-8"))
    rows = jobs["periodics"] if job.cluster == "kind" else next(iter(jobs["presubmits"].values()))
    (container,) = rows[0]["spec"]["containers"]
    assert container["command"] == ["bash", "-c"]
    (script,) = container["args"]
    artifacts = job.folder / "artifacts"
    artifacts.mkdir()
    script = script.replace("my-driver.yaml", job.driver).replace(PUBLISHED, job.nodes)
    done = job.bash(script, {"ARTIFACTS": str(artifacts)}, job.arguments)
    return Ended(
        done.returncode,
        done.stdout + done.stderr,
        artifacts / "conformance-report",
        artifacts / "junit_conformance.xml",
    )


SYSTEMS: Mapping[str, Callable[[Job], Ended]] = {"github": github, "gitlab": gitlab, "tekton": tekton, "prow": prow}
