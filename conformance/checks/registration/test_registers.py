"""Registration: the kubelet finds the driver's socket and can use what GetInfo says."""

from pathlib import PurePosixPath

from conformance.check import check
from conformance.checks.registration.attempt import wait_attempt
from conformance.cluster import Installation, Node, need_calls
from conformance.expect import Expect
from conformance.history import History
from conformance.verdict import NotApplicable

KNOWN = ("v1.DRAPlugin", "v1beta1.DRAPlugin")


@check(
    id="registration.registers",
    covers=("REG-01", "REG-02", "REG-03", "REG-04", "REG-05", "REG-07", "REG-08", "REG-12"),
)
def test_registers(node: Node, driver: Installation, expect: Expect, history: History) -> None:
    """The driver registers with the kubelet, in time and under its own name."""
    if not driver.target.driver.node_plugin:
        raise NotApplicable("the driver file says that the driver has no plugin on the node")
    attempt = wait_attempt(history, node, driver, timeout=driver.target.ready_within)
    expect("REG-01").equal(attempt.trouble, "", "a socket appears under plugins_registry and the kubelet can dial it")
    expect("REG-03").true(not attempt.too_slow, "GetInfo is answered within 1 s", attempt.get_info_seconds)
    expect("REG-02").equal(attempt.get_info_error, "", "the registration service answers GetInfo")
    expect("REG-04").equal(attempt.info.get("type"), "DRAPlugin", "the plugin's type is DRAPlugin")
    expect("REG-05").equal(attempt.info.get("name"), driver.target.driver_name, "it registers under its driver name")
    endpoint = attempt.info.get("endpoint") or ""
    absolute = endpoint == "" or PurePosixPath(endpoint).is_absolute()
    expect("REG-07").true(absolute, "the endpoint is empty or an absolute path", endpoint)
    known = [version for version in attempt.supported_versions if version in KNOWN]
    expect("REG-08").true(known, f"supported_versions has one of {', '.join(KNOWN)}", attempt.supported_versions)
    need_calls(node)
    expect("REG-12").equal(attempt.notify_error, "", "NotifyRegistrationStatus(true) is answered with OK within 5 s")
