"""A kept cluster as if it were somebody else's: a driver that is installed there, and somebody's pod with a device."""

import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conformance.cluster.api import Api
from conformance.cluster.existing import own
from conformance.cluster.kind import KindBackend, KindSettings, make_backend
from conformance.cluster.kubeconfig import Access, read_kubeconfig, write_kubeconfig
from conformance.cluster.wait import wait_for
from conformance.history import History
from conformance.session.rundir import RunDir
from conformance.target import Target

Object = dict[str, Any]

IMAGE = "dra-conformance/reference-driver:0.1.0"  # is on the nodes, and has python3
JUDGED = {
    "registration.advertised_services",
    "registration.dropped_connection",
    "publishing.pool_complete",
    "publishing.node_owner",
    "allocation.class_selectors",
    "injection.container_sees",
    "preparation.wrong_claim",
    "unpreparing.unknown_claim",
}
DISRUPTIVE = ("registration.after_kill", "registration.clean_exit", "upgrade.sockets_per_instance")


@pytest.fixture(scope="module")
def cluster() -> Iterator[KindBackend]:
    """A cluster with the reference driver on it; skipped where none was asked for."""
    if os.environ.get("DRA_KIND") != "1":
        pytest.skip("tests on a real cluster run with DRA_KIND=1, as `make test-kind` does")
    run = RunDir.create()
    made = make_backend(KindSettings(tap=False), None, run.path, History(), run.path / "logs")
    try:
        made.start()
        driver = made.install(Target.load("reference"))
        driver.start()
        driver.wait_ready()
        yield made
    finally:
        made.stop()
        run.close()


@pytest.fixture(scope="module")
def somebody(cluster: KindBackend) -> Api:
    """Has a pod with a device on the node that will be looked at."""
    api = cluster.api
    request = {"name": "gpu", "exactly": {"deviceClassName": "gpu.example.com"}}
    api.create("namespaces", {"metadata": {"name": "somebody"}})
    spec = {"devices": {"requests": [request]}}
    api.create("resourceclaims", {"metadata": {"name": "mine"}, "spec": spec}, "somebody")
    pod = _pod("user", "mine", cluster)
    wait_for(lambda: _created(api, pod), "the default service account", timeout=30)
    wait_for(lambda: _phase(api) == "Running", "somebody's pod to run", timeout=60)
    return api


def _pod(name: str, claim: str, cluster: KindBackend) -> Object:
    spec = {
        "nodeSelector": {"kubernetes.io/hostname": cluster.nodes[0].name},
        "terminationGracePeriodSeconds": 1,
        "resourceClaims": [{"name": "gpu", "resourceClaimName": claim}],
        "containers": [{"name": "main", "image": cluster.image, "resources": {"claims": [{"name": "gpu"}]}}],
    }
    return {"metadata": {"name": name}, "spec": spec}


def _created(api: Api, pod: Object) -> bool:
    if not api.list("serviceaccounts", "somebody")["items"]:
        return False
    api.create("pods", pod, "somebody")
    return True


def _phase(api: Api, pod: str = "user") -> str:
    return str(api.get("pods", pod, "somebody")["status"].get("phase"))


def foreign(api: Api) -> Object:
    """What must stay as it is: somebody's pod and claim, the driver's DaemonSet and pods, classes, namespaces."""
    sets = api.request("GET", "/apis/apps/v1/namespaces/gpu-driver/daemonsets")["items"]
    pods = [*api.list("pods", "gpu-driver")["items"], *api.list("pods", "somebody")["items"]]
    claim = api.get("resourceclaims", "mine", "somebody")
    return {
        "sets": [(item["metadata"]["uid"], item["metadata"]["generation"]) for item in sets],
        "pods": sorted((pod["metadata"]["uid"], pod["metadata"].get("generation")) for pod in pods),
        "claim": (claim["metadata"]["uid"], claim["status"]),
        "containers": [
            row["containerID"] for row in api.get("pods", "user", "somebody")["status"]["containerStatuses"]
        ],
        "classes": [(c["metadata"]["name"], c["metadata"]["uid"]) for c in api.list("deviceclasses")["items"]],
        "namespaces": sorted(item["metadata"]["name"] for item in api.list("namespaces")["items"]),
    }


def restarts(api: Api, node: str) -> int:
    """How often the driver's container was started again on a node."""
    pods = api.list("pods", "gpu-driver", field_selector=f"spec.nodeName={node}")["items"]
    return sum(row["restartCount"] for pod in pods for row in pod["status"]["containerStatuses"])


def checked(folder: Path, kubeconfig: Path, *options: str) -> tuple[int, str, dict[str, Object]]:
    """Exit status, what was said, and the results by check id."""
    argv = ["run", "--driver=reference", "--cluster=existing", f"--kubeconfig={kubeconfig}", f"--node-image={IMAGE}"]
    command = [sys.executable, "-m", "conformance.cli", *argv, f"--report-dir={folder}", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    report = folder / "report.json"
    rows = json.loads(report.read_text())["checks"] if report.exists() else []
    return done.returncode, done.stdout + done.stderr, {row["id"]: row for row in rows}


def judged(results: dict[str, Object]) -> set[str]:
    return {id for id, row in results.items() if row["verdict"] in ("PASS", "WARN", "INFO")}


def unfit(results: dict[str, Object]) -> dict[str, str]:
    """Checks that should be of another verdict, or that do not say why they were not run."""
    bad = {id: row for id, row in results.items() if row["verdict"] in ("FAIL", "INCONCLUSIVE", "BLOCKED")}
    silent = {id: row for id, row in results.items() if row["verdict"].startswith("NOT_") and not row["message"]}
    return {id: f"{row['verdict']}: {row['message']}" for id, row in (bad | silent).items()}


def test_a_driver_is_observed_and_nothing_is_changed(cluster: KindBackend, somebody: Api, tmp_path: Path) -> None:
    before = foreign(somebody)
    status, said, results = checked(tmp_path / "report", cluster.kubeconfig)
    assert unfit(results) == {}, said
    assert status == 0, said
    assert f"existing cluster: context kind-{cluster.nodes[0].name.removesuffix('-worker')} of " in said
    assert f"on {cluster.nodes[0].name}; and there a privileged pod" in said
    assert judged(results) >= JUDGED
    assert foreign(somebody) == before
    assert restarts(somebody, cluster.nodes[0].name) == 0
    history = (tmp_path / "report" / "history.jsonl").read_text()
    assert '"namespace":"somebody"' not in history
    assert somebody.list("deviceclasses", label_selector=own.RUN)["items"] == []


def test_on_a_named_node_the_driver_may_be_killed(cluster: KindBackend, somebody: Api, tmp_path: Path) -> None:
    before = foreign(somebody)
    node, other = (node.name for node in cluster.nodes)
    named = (f"--node={node}", f"--node={other}", "--conformance-tier=disrupt-driver")
    options = (*named, "--check=publishing.per_node", *(f"--check={id}" for id in DISRUPTIVE))
    status, said, results = checked(tmp_path / "report", cluster.kubeconfig, *options)
    assert unfit(results) == {}, said
    assert status == 0, said
    assert judged(results) == {"publishing.per_node", "registration.after_kill"}
    assert "so it is not told to end" in results["registration.clean_exit"]["message"]
    assert "so it is not updated" in results["upgrade.sockets_per_instance"]["message"]
    assert foreign(somebody) == before
    assert (restarts(somebody, node) > 0, restarts(somebody, other)) == (True, 0)


def test_what_a_killed_run_left_is_removed_by_the_next(cluster: KindBackend, somebody: Api, tmp_path: Path) -> None:
    before = foreign(somebody)
    command = [sys.executable, "-m", "conformance.cli", "run", "--driver=reference", "--cluster=existing"]
    options = [f"--kubeconfig={cluster.kubeconfig}", f"--node-image={IMAGE}", f"--report-dir={tmp_path / 'killed'}"]
    with subprocess.Popen([*command, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
        wait_for(lambda: len(_ours(somebody)) > 1, "the namespace of a check", timeout=90)
        run.kill()
    assert _ours(somebody) != []
    status, said, results = checked(tmp_path / "report", cluster.kubeconfig, "--check=publishing.pool_complete")
    assert (status, results["publishing.pool_complete"]["verdict"]) == (0, "PASS"), said
    assert _ours(somebody) == []
    assert foreign(somebody) == before


def test_devices_of_others_are_not_taken(cluster: KindBackend, somebody: Api, tmp_path: Path) -> None:
    """Somebody has all devices of the node."""
    request = {"name": "gpu", "exactly": {"deviceClassName": "gpu.example.com", "count": 7}}
    somebody.create(
        "resourceclaims", {"metadata": {"name": "rest"}, "spec": {"devices": {"requests": [request]}}}, "somebody"
    )
    somebody.create("pods", _pod("greedy", "rest", cluster), "somebody")
    wait_for(lambda: _phase(somebody, "greedy") == "Running", "somebody's second pod to run", timeout=60)
    checks = ("--check=injection.container_sees", "--check=publishing.pool_complete")
    status, said, results = checked(tmp_path / "report", cluster.kubeconfig, *checks)
    somebody.delete("pods", "greedy", "somebody")
    wait_for(lambda: not _is_there(somebody, "greedy"), "somebody's second pod to be gone", timeout=60)
    assert status == 0, said
    assert results["injection.container_sees"]["verdict"] == "NOT_RUN"
    assert "of 8 on the node, others leave 0" in results["injection.container_sees"]["message"]


def _is_there(api: Api, name: str) -> bool:
    return name in [pod["metadata"]["name"] for pod in api.list("pods", "somebody")["items"]]


def _ours(api: Api) -> list[str]:
    return [item["metadata"]["name"] for item in api.list("namespaces", label_selector=own.RUN)["items"]]


def test_with_nothing_but_names_seven_behaviours_are_judged(
    cluster: KindBackend, somebody: Api, tmp_path: Path
) -> None:
    """No driver file, no pod that looks at a node; then the evidence as one file."""
    before, folder = foreign(somebody), tmp_path / "report"
    names = ["--driver-name=gpu.example.com", "--device-class=gpu.example.com", f"--kubeconfig={cluster.kubeconfig}"]
    asked = ["--cluster=existing", "--profile=kep-5970", f"--node-image={IMAGE}", f"--report-dir={folder}"]
    command = [sys.executable, "-m", "conformance.cli"]
    done = subprocess.run([*command, "run", *names, *asked], capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert [line for line in said.splitlines() if line[:3].strip().isdigit() and ": PASS" not in line] == [], said
    assert "7 checks" in said
    assert (_ours(somebody), foreign(somebody)) == ([], before)
    assert '"namespace":"somebody"' not in (folder / "history.jsonl").read_text()
    bundle = tmp_path / "evidence.tar.gz"
    subprocess.run([*command, "bundle", str(folder), "-o", str(bundle)], check=True)
    with tarfile.open(bundle) as tar:
        names = [row.name.partition("/")[2] for row in tar.getmembers()]
    assert {"README.md", "PRODUCT.yaml", "report.json", "junit.xml", "run.log"} <= set(names)


def test_one_without_rights_is_told(cluster: KindBackend, somebody: Api, tmp_path: Path) -> None:
    path = "/api/v1/namespaces/somebody/serviceaccounts/default/token"
    token = somebody.request("POST", path, body={"spec": {}})["status"]["token"]
    admin = read_kubeconfig(cluster.kubeconfig)
    ca = tmp_path / "ca.crt"
    ca.write_text(admin.ca_data or "")
    poor = write_kubeconfig(tmp_path / "kubeconfig", Access(admin.server, ca, token), "poor")
    status, said, results = checked(tmp_path / "report", poor)
    assert status == 4, said
    assert "may not list, create, delete namespaces; get, list, watch nodes; " in said
    assert results == {}
