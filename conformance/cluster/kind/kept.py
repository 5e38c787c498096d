"""A cluster that is kept for the next run: what it was made of is written into it, as long as nobody uses it.

So a cluster without the record is half made, or the run that used it was killed: nobody knows what state it is in.
"""

import json
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from conformance.cluster.kind.command import run
from conformance.verdict import Inconclusive

_RECORD = "/kind/dra-conformance.json"
_WITHIN = 30.0
_CONTROL_PLANE = "-control-plane"

Record = Mapping[str, str]
"""What a cluster was made of: words for messages, by key."""


def leave(cluster: str, made_of: Record) -> None:
    """Write the record: the cluster is whole, and nobody uses it. Raises Inconclusive."""
    script = f'printf %s "$1" > {_RECORD}'
    words = ["docker", "exec", f"{cluster}{_CONTROL_PLANE}", "sh", "-c", script, "sh", json.dumps(made_of)]
    run(words, "write down what the cluster was made of", timeout=_WITHIN)


def is_whole(nodes: Sequence[str]) -> bool:
    """Whether a cluster with these nodes has a record, even when it does not run."""
    return _read(nodes) is not None


def why_not(cluster: str, nodes: Sequence[str], wanted: Record) -> str:
    """Why a cluster cannot be used for what is wanted, in a few words; "" when it can."""
    found = _read(nodes)
    if found is None:
        return "the run that used it last did not come to its end"
    for what, value in wanted.items():
        if found.get(what) != value:
            return f"it was made with {found.get(what, 'something else')}, not with {value}"
    try:
        for node in nodes:
            run(["docker", "exec", node, "true"], "look at the node", timeout=_WITHIN)
        ready = ["kubectl", "--kubeconfig=/etc/kubernetes/admin.conf", "get", "--raw=/readyz"]
        run(["docker", "exec", f"{cluster}{_CONTROL_PLANE}", *ready], "ask the API server", timeout=_WITHIN)
    except Inconclusive as error:
        return str(error)
    return ""


def take(cluster: str) -> None:
    """Remove the record: from now on somebody uses the cluster. Raises Inconclusive."""
    words = ["docker", "exec", f"{cluster}{_CONTROL_PLANE}", "rm", _RECORD]
    run(words, "take the cluster into use", timeout=_WITHIN)


def _read(nodes: Sequence[str]) -> Record | None:
    node = next((name for name in nodes if name.endswith(_CONTROL_PLANE)), None)
    if node is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "record")
        # Copied, as that works for a container that does not run, too.
        done = subprocess.run(["docker", "cp", f"{node}:{_RECORD}", file], capture_output=True, check=False)
        if done.returncode != 0:
            return None
        try:
            record: Record = json.loads(file.read_text(encoding="utf-8"))
        except ValueError:
            return None
        return record
