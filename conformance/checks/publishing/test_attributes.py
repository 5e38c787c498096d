"""Names and values that Kubernetes has defined for everybody."""

import re
from collections.abc import Iterator
from typing import Any

from conformance.check import check
from conformance.checks.publishing.alike import lacking
from conformance.checks.publishing.pool import pools_of
from conformance.checks.publishing.together import settled_slices
from conformance.cluster import Cluster
from conformance.expect import Expect

Object = dict[str, Any]

STANDARD = {"pcieRoot": r"pci[0-9a-f]{4}:[0-9a-f]{2}", "pciBusID": r"[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]"}
"""Standard attributes that hold a string, and what it looks like."""
NUMA_NODE = "numaNode"
DOMAIN = "resource.kubernetes.io"
_KUBERNETES = re.compile(r"(^|\.)(kubernetes|k8s)\.io$")


@check(
    id="publishing.attributes",
    covers=("RS-20", "RS-22", "RS-33"),
    needs=("publishing.pool_complete",),
)
def test_attributes(cluster: Cluster, expect: Expect) -> None:
    """Attributes are named as Kubernetes has defined them, and devices of one kind have the same ones."""
    pools = pools_of(settled_slices(cluster))
    devices = [device for pool in pools for device in pool.devices]
    made_up = sorted({name for device in devices for name in names_of(device) if is_made_up(name, cluster)})
    expect("RS-20").equal(made_up, [], "no names are made up in domains of Kubernetes")
    disguised = sorted({name for device in devices for name in standard_but_for_the_domain(device)})
    expect("RS-20").equal(disguised, [], f"what Kubernetes calls {DOMAIN}/… is published under that name")
    nowhere = [device["name"] for device in devices if -1 in numa_nodes(device)]
    expect("RS-22").equal(nowhere, [], f"a device of no NUMA node has no attribute {DOMAIN}/{NUMA_NODE}")
    poor = [text for pool in pools for text in lacking(pool.devices)]
    expect("RS-33").equal(poor, [], "an attribute is published of all devices of a kind or of none")


def names_of(device: Object) -> Iterator[str]:
    """Names of its attributes and capacities, as published."""
    yield from device.get("attributes") or ()
    yield from device.get("capacity") or ()


def is_made_up(name: str, cluster: Cluster) -> bool:
    """Whether a name is in a domain of Kubernetes, which has defined no such name; a driver of its own may do that."""
    domain, slash, identifier = name.rpartition("/")
    if not slash or domain == cluster.target.driver_name or not _KUBERNETES.search(domain):
        return False
    return domain != DOMAIN or identifier not in {*STANDARD, NUMA_NODE}


def standard_but_for_the_domain(device: Object) -> Iterator[str]:
    """Attributes that are called and look like a standard one, which the device does not have."""
    attributes = device.get("attributes") or {}
    for identifier, pattern in STANDARD.items():
        value = (attributes.get(identifier) or {}).get("string", "")
        if f"{DOMAIN}/{identifier}" not in attributes and re.fullmatch(pattern, value):
            yield identifier


def numa_nodes(device: Object) -> list[int]:
    """The NUMA nodes that a device is said to belong to."""
    value = (device.get("attributes") or {}).get(f"{DOMAIN}/{NUMA_NODE}") or {}
    return [value["int"]] if "int" in value else list(value.get("ints") or ())
