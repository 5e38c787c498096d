"""Making a cluster: by pytest-kind-ng where it is installed, else by the command kind; both are asked for the same."""

import importlib.util
import os
import sys
from dataclasses import dataclass
from pathlib import Path

import conformance
from conformance.cluster.kind.command import run
from conformance.session.rundir import RUN_VARIABLE

_WITHIN = 240.0
_WHAT = "make a cluster with kind"
_READY_WITHIN = 60


@dataclass(frozen=True)
class Order:
    """What is wanted: nodes of an image, as a configuration file says; where its kubeconfig and log go.

    run_dir: folder of the run, which what is started here is found by when the run is killed.
    """

    image: str
    config: Path
    kubeconfig: Path
    log: Path
    run_dir: Path


def create(kind: Path, name: str, order: Order) -> None:
    """Make it and wait until its control plane is ready. Raises Inconclusive."""
    env = {RUN_VARIABLE: str(order.run_dir), "KIND_EXPERIMENTAL_PROVIDER": "docker"}
    if importlib.util.find_spec("pytest_kind"):
        words = [sys.executable, "-m", "conformance.cluster.kind.by_pytest_kind", name, order.image]
        words += [str(kind), str(order.config), str(order.kubeconfig)]
        paths = [str(Path(conformance.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
        env["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
        run(words, _WHAT, timeout=_WITHIN, env=env, cwd=order.run_dir, log=order.log)
    else:
        options = {"name": name, "kubeconfig": order.kubeconfig, "image": order.image, "config": order.config}
        given = [f"--{option}={value}" for option, value in options.items()]
        run([kind, "create", "cluster", *given], _WHAT, timeout=_WITHIN, env=env, log=order.log)
    wait = ["kubectl", "--kubeconfig=/etc/kubernetes/admin.conf", "wait", "node", "--all", "--for=condition=Ready"]
    run(
        ["docker", "exec", f"{name}-control-plane", *wait, f"--timeout={_READY_WITHIN}s"],
        "see the nodes of the cluster become ready",
        timeout=_READY_WITHIN + 10,
        log=order.log,
    )
