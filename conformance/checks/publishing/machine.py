"""Names that tell machines apart, on clusters whose nodes are one machine."""

import os
import re
from collections.abc import Iterable
from pathlib import Path

from conformance.checks.publishing.together import nodes_of
from conformance.cluster import Cluster, Fleet
from conformance.verdict import NotRun

_SERIALS = ("product_uuid", "product_serial", "board_serial")
_FILES = ("/etc/machine-id", *(f"/sys/class/dmi/id/{name}" for name in _SERIALS))


def need_names_of_nodes(cluster: Cluster, fleet: Fleet) -> None:
    """Go on only where no pool or slice is named after the machine that all nodes are: names would clash.

    On real nodes each machine has a name of its own. Names that the API server completes do not clash. Raises NotRun.
    """
    if not fleet.one_machine:
        return
    known = machine_names()
    for node in nodes_of(fleet):
        for item in cluster.slices_of(node):
            chosen = [] if item["metadata"].get("generateName") else [item["metadata"]["name"]]
            for name in [item["spec"]["pool"]["name"], *chosen]:
                if is_of_machine(name, known) and node.name not in name:
                    raise NotRun(f"the nodes are one machine, and {name!r} of the driver is named after it")


def is_of_machine(name: str, known: Iterable[str]) -> bool:
    """Whether one of the machine's names is the name or a part of it that ends where letters and digits end."""
    flat = _flat(name)
    return any(f"-{_flat(each)}-" in f"-{flat}-" for each in known)


def machine_names() -> list[str]:
    """Host name, in full and up to its first dot, machine id, and serials of the hardware and its network devices."""
    host = os.uname().nodename
    addresses = [_read(path) for path in Path("/sys/class/net").glob("*/address")]
    names = [host, host.partition(".")[0], *map(_read, map(Path, _FILES)), *addresses]
    return [name for name in dict.fromkeys(names) if name.strip("0:-")]


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def _flat(name: str) -> str:
    return re.sub("[^a-z0-9]+", "-", name.lower()).strip("-")
