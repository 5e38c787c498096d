"""A driver that was killed leaves its socket files behind; its next start must cope with them."""

from pathlib import Path

from conformance.check import Tier, check
from conformance.checks.registration.answering import endpoint_of, unanswered
from conformance.cluster import Installation, Node, PluginInfo, seen_within
from conformance.cluster.kubelet.sockets import connected
from conformance.expect import Expect
from conformance.verdict import WaitTimeout


@check(
    id="registration.after_kill",
    covers=("REG-14", "REG-16"),
    needs=("registration.advertised_services", "publishing.pool_complete"),
    tier=Tier.DISRUPT_DRIVER,
)
def test_after_kill(node: Node, driver: Installation, expect: Expect) -> None:
    """Killed by SIGKILL and started again in the same pod, the driver registers again over its stale sockets."""
    name = driver.target.driver_name
    before = node.wait_registered(name)[-1]
    killed = driver.instances[-1]
    killed.kill()
    again = driver.start(uid=killed.uid)
    early = announced_too_early(node, driver, before.socket)
    trouble = ""
    try:
        driver.wait_ready(timeout=driver.target.ready_within)
    except WaitTimeout as reason:
        trouble = str(reason)
    expect("REG-16").equal(trouble, "", f"it is ready again although {before.socket.name} was left behind")
    expect("REG-16").true(again.alive, "the restarted driver keeps running")
    expect("REG-16").equal(unanswered(node, driver), "", "it answers the kubelet again")
    expect("REG-14").equal(early, "", "the DRA endpoint serves already when GetInfo is answered")


def announced_too_early(node: Node, driver: Installation, socket: Path) -> str:
    """Why nobody could be reached at the endpoint when GetInfo was answered at first; "" when somebody was."""

    def answered() -> PluginInfo | None:
        info = node.get_info(socket)
        return None if info.error else info

    info = seen_within(answered, driver.target.ready_within)
    if info is None or not info.endpoint:  # not answered, or at another socket; or it serves on the same one
        return ""
    try:
        with connected(endpoint_of(node, info.endpoint)):
            return ""
    except OSError as error:
        return f"{info.endpoint}: {error.strerror}"
