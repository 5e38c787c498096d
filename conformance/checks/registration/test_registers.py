"""Registration: the kubelet finds the driver's socket and can use what GetInfo says."""

from collections.abc import Callable
from pathlib import PurePosixPath

from conformance.check import check
from conformance.checks.deadline import missed
from conformance.checks.registration.attempt import Attempt, wait_attempt
from conformance.cluster import Cluster, Installation, Node, need_calls
from conformance.expect import Expect
from conformance.history import History
from conformance.verdict import Inconclusive, NotApplicable

KNOWN = ("v1.DRAPlugin", "v1beta1.DRAPlugin")
LATE = "DeadlineExceeded"
GET_INFO, NOTIFY = 1.0, 5.0  # seconds that the kubelet waits
USUAL = "localhost"
"""What clients of unix sockets say as :authority, where they do not say its path."""


@check(
    id="registration.registers",
    covers=("REG-01", "REG-02", "REG-03", "REG-04", "REG-05", "REG-07", "REG-08", "REG-12", "REG-24"),
)
def test_registers(cluster: Cluster, node: Node, driver: Installation, expect: Expect, history: History) -> None:
    """The driver registers with the kubelet, in time and under its own name."""
    if not driver.target.driver.node_plugin:
        raise NotApplicable("the driver file says that the driver has no plugin on the node")
    attempt = wait_attempt(history, node, driver, timeout=driver.target.ready_within)
    expect("REG-01").equal(attempt.trouble, "", "a socket appears under plugins_registry and the kubelet can dial it")
    late = attempt.too_slow and always_late(cluster, GET_INFO, lambda: node.get_info(attempt.socket).error)
    expect("REG-03").true(not late, "GetInfo is answered within 1 s", attempt.get_info_seconds)
    expect("REG-24").equal(only_as_usual(node, attempt), "", "GetInfo is answered whatever its :authority is")
    expect("REG-02").equal(attempt.get_info_error, "", "the registration service answers GetInfo")
    expect("REG-04").equal(attempt.info.get("type"), "DRAPlugin", "the plugin's type is DRAPlugin")
    expect("REG-05").equal(attempt.info.get("name"), driver.target.driver_name, "it registers under its driver name")
    endpoint = attempt.info.get("endpoint") or ""
    absolute = endpoint == "" or PurePosixPath(endpoint).is_absolute()
    expect("REG-07").true(absolute, "the endpoint is empty or an absolute path", endpoint)
    known = [version for version in attempt.supported_versions if version in KNOWN]
    expect("REG-08").true(known, f"supported_versions has one of {', '.join(KNOWN)}", attempt.supported_versions)
    need_calls(node)
    late = attempt.notified_too_slowly and always_late(cluster, NOTIFY, lambda: node.notify(attempt.socket))
    expect("REG-12").true(not late, "NotifyRegistrationStatus(true) is answered within 5 s", attempt.notify_error)
    expect("REG-12").equal(attempt.notify_error, "", "NotifyRegistrationStatus(true) is answered with OK")


def always_late(cluster: Cluster, limit: float, error: Callable[[], str]) -> bool:
    """Whether a call that was too late for the kubelet is too late whenever it is made.

    `error` makes it, and gives its gRPC error. Raises Inconclusive when it is in time now, or the machine is too busy.
    """
    if missed(cluster.backend, limit, lambda: LATE in error()):
        return True
    raise Inconclusive(f"the kubelet waited {limit:g} s for the driver in vain; asked again, it was in time")


def only_as_usual(node: Node, attempt: Attempt) -> str:
    """The error that the kubelet's GetInfo had, if one with the usual :authority is answered; else ""."""
    error = attempt.get_info_error
    return error if error and not node.get_info(attempt.socket, authority=USUAL).error else ""
