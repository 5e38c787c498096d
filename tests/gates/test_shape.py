"""The examples of gates are valid in the eyes of their systems, name versions of everything, and have no way around."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from conformance.cluster.api import Api
from conformance.images import NODES_OF_KIND
from tests.embedded_apiserver.conftest import api, server
from tests.gates import tools
from tests.gates.jobs import ACTION, CLUSTERS, GATES, GITLAB, PROW, PUBLISHED, TEKTON, WORKFLOW

__all__ = ["api", "server"]

EXAMPLES = sorted(path for path in GATES.rglob("*.y*ml"))
OWN_ACTION = "example-org/dra-conformance/examples/gates/github@v0.1.0"


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def values(node: Any, key: str) -> Iterator[Any]:
    """What stands under a key, wherever it is."""
    if isinstance(node, dict):
        for name, value in node.items():
            if name == key:
                yield value
            yield from values(value, key)
    elif isinstance(node, list):
        for value in node:
            yield from values(value, key)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_everything_has_a_version(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "latest" not in text
    for used in values(read(path), "uses"):
        assert used == OWN_ACTION or re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", used)
    for image in values(read(path), "image"):
        assert image.endswith((":0.1.0", "$(params.image)"))
    for runner in values(read(path), "runs-on"):
        assert runner == "ubuntu-24.04"
    assert set(re.findall(r"kindest/node\S*", text)) <= {PUBLISHED}
    assert PUBLISHED == NODES_OF_KIND


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_nothing_lets_a_failure_pass(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for way in ("allow_failure", "continue-on-error", "onError", "|| true", "set +e"):
        assert way not in text
    assert all(optional is False for optional in values(read(path), "optional") if path == PROW)


def test_only_jobs_on_kind_are_privileged() -> None:
    assert not list(values(read(TEKTON["embedded"]), "privileged"))
    assert not list(values(read(PROW)["presubmits"], "privileged"))
    assert not list(values(read(GITLAB)["conformance"], "tags"))
    assert read(WORKFLOW)["permissions"] == {"contents": "read"}


def test_reports_are_kept_and_shown() -> None:
    upload = read(ACTION)["runs"]["steps"][-1]
    assert upload["uses"].startswith("actions/upload-artifact@")
    assert upload["if"] == "always()"
    artifacts = read(GITLAB)[".dra-conformance"]["artifacts"]
    assert artifacts["when"] == "always"
    assert artifacts["reports"]["junit"] == "conformance-report/junit.xml"


def test_an_api_server_takes_the_pods_of_prow(api: Api) -> None:
    jobs = read(PROW)
    for number, job in enumerate([*values(jobs["presubmits"], "spec"), jobs["periodics"][0]["spec"]]):
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": f"job-{number}"}, "spec": job}
        api.request("POST", "/api/v1/namespaces/default/pods?fieldValidation=Strict&dryRun=All", body=pod)


def test_github_workflow_is_valid() -> None:
    linter = tools.go_program(tools.ACTIONLINT)
    accepted([linter, "-no-color", WORKFLOW])
    for path in (WORKFLOW, ACTION):
        accepted(["node", tools.npm_program(tools.ACTION_VALIDATOR), path])


def test_gitlab_template_is_valid(tmp_path: Path) -> None:
    """By GitLab's schema, which gitlab-ci-local checks a pipeline against before it shows it."""
    program = tools.npm_program(tools.GITLAB_CI_LOCAL)
    (tmp_path / ".gitlab-ci.yml").write_text(GITLAB.read_text(encoding="utf-8"), encoding="utf-8")
    commit(tmp_path)
    said = accepted(["node", program, "--preview"], tmp_path)
    assert {"conformance", "conformance-kind"} <= set(yaml.safe_load(said.partition("---\n")[2]))


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_tekton_task_is_valid(cluster: str) -> None:
    program = tools.tekton_validator()
    text = TEKTON[cluster].read_text(encoding="utf-8")
    assert subprocess.run([program], input=text, text=True, check=True, capture_output=True).stderr == ""
    wrong = subprocess.run([program], input=text.replace("workingDir", "workDir"), text=True, check=False)
    assert wrong.returncode == 1


def commit(folder: Path) -> None:
    """Make the folder a repository of somebody's driver."""
    git = ["git", "-c", "user.name=nobody", "-c", "user.email=nobody@example.com"]
    origin = "git@example.com:example-org/my-driver.git"
    for words in (["init", "--quiet"], ["remote", "add", "origin", origin], ["add", "--all"]):
        accepted([*git, *words], folder)
    accepted([*git, "commit", "--quiet", "--message=driver"], folder)


def accepted(command: list[Any], folder: Path | None = None) -> str:
    """What a command says that ends well."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
