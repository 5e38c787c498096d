"""The environment variables that the code reads, each with the files that do."""

import re
from collections.abc import Iterator
from pathlib import Path

from markup import prose, table

ROOT = Path(__file__).resolve().parents[2]
_READ = re.compile(r"\benviron(?:\.get\(|\[)\"(\w+)\"")
_MEANINGS = {
    "CC": "the C compiler that builds the made-up libnvidia-ml",
    "DOCKER_HOST": "the Docker engine to use; read by the command docker, and named when it does not answer",
    "GITHUB_ACTIONS": "true on GitHub, where the run writes annotations and a summary",
    "KUBEBUILDER_ASSETS": "folder with etcd, kube-apiserver and others for `--cluster=control-plane`",
    "KUBECONFIG": "the reference driver's kubeconfig, where `--kubeconfig` is not given",
    "KUBERNETES_SERVICE_HOST": "the API server, for the reference driver in a pod",
    "KUBERNETES_SERVICE_PORT": "its port",
    "NODE_NAME": "the reference driver's node, where `--node-name` is not given",
    "PATH": "where programs are looked for",
    "PYTHONPATH": "kept, and extended, for the processes of the suite",
    "XDG_CACHE_HOME": "where programs that were built are kept, `~/.cache` by default",
    "XDG_STATE_HOME": "where clusters of `dra-conformance up` are kept, `~/.local/state` by default",
}


def variables() -> str:
    """A table of them. Raises ValueError for one that is read and not described here, or the other way round."""
    found: dict[str, list[str]] = {}
    for path, name in _reads():
        found.setdefault(name, []).append(path)
    if difference := set(found) ^ set(_MEANINGS):
        raise ValueError(f"{Path(__file__).name} does not fit the code: {', '.join(sorted(difference))}")
    rows = [
        (f"`{name}`", prose(_MEANINGS[name]), ", ".join(f"[{path}](../../{path})" for path in dict.fromkeys(paths)))
        for name, paths in sorted(found.items())
    ]
    return table(("variable", "what it says", "read by"), rows)


def _reads() -> Iterator[tuple[str, str]]:
    for folder in ("conformance", "fakegpu", "reference_driver"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            for name in _READ.findall(file.read_text(encoding="utf-8")):
                yield str(file.relative_to(ROOT)), name
