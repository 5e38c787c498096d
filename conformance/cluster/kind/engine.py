"""The Docker engine: whether it answers, and if not, what is missing."""

import os
import platform
import shutil
import subprocess

from conformance.cluster.kind.assets import asset
from conformance.verdict import Inconclusive

_MACHINES = ("x86_64", "aarch64")


def check_engine() -> None:
    """Raises Inconclusive with one sentence that says what is missing and how to get it."""
    if platform.system() != "Linux" or platform.machine() not in _MACHINES:
        raise Inconclusive(f"--cluster=kind needs Linux on {' or '.join(_MACHINES)}, this is {platform.platform()}")
    if os.geteuid() != 0:
        raise Inconclusive("--cluster=kind needs root, as it looks into the nodes' file systems and processes")
    if shutil.which("docker") is None:
        raise Inconclusive(f"--cluster=kind needs Docker: there is no command docker; {asset('engine.sh')} installs it")
    try:
        done = subprocess.run(["docker", "info"], capture_output=True, text=True, timeout=30, check=False)
    except subprocess.TimeoutExpired:
        raise Inconclusive("--cluster=kind needs a Docker engine that answers, but `docker info` hangs") from None
    if done.returncode != 0:
        raise Inconclusive(f"--cluster=kind needs a running Docker engine: {asset('engine.sh')} starts one")
