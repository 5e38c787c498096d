"""Every advertised version of the DRA service is really served."""

from conformance.check import check
from conformance.checks.registration.answering import unanswered
from conformance.cluster import Installation, Node
from conformance.expect import Expect


@check(
    id="registration.advertised_services",
    covers=("REG-11", "REG-09"),
    needs=("registration.registers",),
)
def test_advertised_services(node: Node, driver: Installation, expect: Expect) -> None:
    """Each DRA gRPC service that GetInfo lists answers on the endpoint; the newest one is listed first."""
    registration = node.wait_registered(driver.target.driver_name)[-1]
    advertised = [v for v in registration.supported_versions if v in ("v1.DRAPlugin", "v1beta1.DRAPlugin")]
    for service in advertised:
        trouble = unanswered(node, driver, service.partition(".")[0])
        expect("REG-11").equal(trouble, "", f"{service} is served on the endpoint, as advertised")
    expect("REG-09").equal(advertised, sorted(advertised, key=_AGE.index), "the newest version is listed first")


_AGE = ("v1.DRAPlugin", "v1beta1.DRAPlugin")
