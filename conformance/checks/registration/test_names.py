"""What a driver's name, sockets and services are called."""

import os
from pathlib import Path

from conformance.check import check
from conformance.checks.registration.answering import endpoint_of
from conformance.cluster import Installation, Node
from conformance.expect import Expect

LONGEST = 107  # bytes of a path in sockaddr_un, without the final zero
REGISTRY = Path("/var/lib/kubelet/plugins_registry")
SHORT = "dra-"
"""How the helper for Go begins the names of sockets of drivers whose own name is too long."""


@check(
    id="registration.names",
    covers=("REG-06", "REG-10", "REG-19", "REG-22"),
    needs=("registration.registers",),
)
def test_names(node: Node, driver: Installation, expect: Expect) -> None:
    """The driver has a name in a domain, a socket called after it, a folder of its own, and serves newer kubelets."""
    name = driver.target.driver_name
    registration = node.wait_registered(name)[-1]
    expect("REG-06").true(name == name.lower() and "." in name, "the name is in lower case and ends in a domain", name)
    versions = registration.supported_versions  # v1 alone is right: whoever offers it may have done with older kubelets
    both = "v1beta1.DRAPlugin" not in versions or "v1.DRAPlugin" in versions
    expect("REG-10").true(both, "whoever serves older kubelets by v1beta1 serves newer ones by v1, too", versions)
    socket = registration.socket
    expect("REG-19").true(
        is_called_after(name, socket.name),
        f"the registration socket is called {name}[-<suffix>].sock, or {SHORT}<hash>-reg.sock for a long name",
        socket.name,
    )
    on_a_node = REGISTRY / socket.relative_to(node.registry_dir)
    length = min(len(os.fsencode(path)) for path in (socket, on_a_node))
    expect("REG-19").at_most(length, LONGEST, "the kernel takes the path of the registration socket")
    folder = node.plugins_dir / name
    one_socket = registration.endpoint in ("", str(socket))
    own = one_socket or folder in endpoint_of(node, registration.endpoint).parents
    expect("REG-22").true(own, f"the endpoint is below {folder.parent.name}/{name}", registration.endpoint)


def is_called_after(driver: str, socket: str) -> bool:
    """Whether a socket has the name that is recommended for a driver."""
    stem, dot, ending = socket.rpartition(".")
    return dot + ending == ".sock" and (stem == driver or stem.startswith((f"{driver}-", SHORT)))
