"""What is said of a kept cluster."""

import shlex
from collections.abc import Mapping, Sequence

from conformance.up.record import Record

_FOLDERS = ("registry_dir", "plugins_dir", "cdi_dir")
_WIDTH = 18


def described(record: Record) -> str:
    """What there is, where, and what to do with it."""
    node = record.placeholders
    rows = {
        "API server": record.server,
        "kubeconfig": record.kubeconfig,
        **({"node": node["node_name"]} if node else {}),
        **{f"  {name}": node[name] for name in _FOLDERS if name in node},
        "logs": record.logs,
    }
    drivers = ", ".join(record.drivers) or "no driver"
    lines = [f"Cluster {record.name} is up: {record.cluster}, Kubernetes {record.kubernetes}, {drivers}", ""]
    lines += _table(rows)
    lines += ["", "Try:", f"  {kubectl(record)} get resourceslices"]
    if node and not record.drivers:
        lines += ["", "Start your driver with these; in a driver file they are the placeholders of the same name:"]
        lines += _table({f"{{{name}}}": value for name, value in node.items()})
    return "\n".join(lines)


def exported(values: Mapping[str, str]) -> str:
    """A command of the shell that sets variables of the placeholders' names."""
    return "export " + " ".join(f"{name}={shlex.quote(value)}" for name, value in values.items())


def kubectl(record: Record) -> str:
    """How kubectl is called."""
    return f"kubectl --kubeconfig={shlex.quote(record.kubeconfig)}"


def end_it(record: Record) -> str:
    """The command that ends it."""
    return "dra-conformance down" + ("" if record.name == "default" else f" --name={record.name}")


def listed(rows: Sequence[tuple[Record, str]]) -> str:
    """A table of clusters, each with its state in a word."""
    head = ("NAME", "CLUSTER", "DRIVERS", "SINCE", "STATE", "KUBECONFIG")
    cells = [
        head,
        *((r.name, r.cluster, ",".join(r.drivers) or "-", r.since, state, r.kubeconfig) for r, state in rows),
    ]
    widths = [max(len(line[i]) for line in cells) for i in range(len(head))]
    return "\n".join("   ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)).rstrip() for line in cells)


def _table(rows: dict[str, str]) -> list[str]:
    return [f"  {name:{_WIDTH}} {value}" for name, value in rows.items()]
