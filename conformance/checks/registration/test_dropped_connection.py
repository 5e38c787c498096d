"""A registration connection that breaks off is no reason to give up."""

import socket

from conformance.check import check
from conformance.cluster import Installation, Node, wait_for
from conformance.cluster.kubelet.dial import short_path
from conformance.expect import Expect


@check(
    id="registration.dropped_connection",
    covers=("REG-15", "REG-20"),
    needs=("registration.registers",),
)
def test_dropped_connection(node: Node, driver: Installation, expect: Expect) -> None:
    """After registration connections that break off, the driver still answers on the same socket."""
    registration = node.wait_registered(driver.target.driver_name)[-1]
    for _ in range(3):
        with short_path(registration.socket) as path, socket.socket(socket.AF_UNIX) as connection:
            connection.connect(path)  # closed again without a word, as by a kubelet that is stopped
    instance = driver.instances[-1] if driver.instances else None
    info = wait_for(
        lambda: node.get_info(registration.socket), "GetInfo to be answered or refused", timeout=10
    )
    expect("REG-15").equal(info.error, "", "the registration socket can be used again")
    expect("REG-15").true(instance is not None and instance.alive, "the driver keeps running")
    expect("REG-20").equal(node.unprepare().error, "", "the DRA service goes on answering")
