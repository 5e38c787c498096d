"""A driver that advertises a health service serves it."""

from conformance.check import check
from conformance.checks.health.watching import SOON, service_of
from conformance.cluster import Cluster
from conformance.cluster.healthwatch import health_services, health_stream
from conformance.expect import Expect
from conformance.verdict import NotApplicable

BOTH = ["v1.DRAResourceHealth", "v1alpha1.DRAResourceHealth"]


@check(
    id="health.reports",
    covers=("HLT-01", "HLT-02", "HLT-07"),
    needs=("registration.registers",),
    profile="health",
    features=("health",),
)
def test_reports(cluster: Cluster, expect: Expect) -> None:
    """Each health service that is advertised soon sends a first report, and there is one for older kubelets, too."""
    service_of(cluster)
    services = health_services(cluster)
    for service in services:
        with health_stream(cluster, service) as stream:
            reported = stream.wait(lambda: stream.messages, SOON)
            ended = stream.ended
        if ended.startswith("UNIMPLEMENTED"):
            raise NotApplicable(f"the driver declines to report health: {service} answers Unimplemented")
        expect("HLT-01").true(reported or not ended, f"{service}, which is advertised, is served", ended)
        expect("HLT-02").true(reported, f"{service} sends a first report within {SOON:g} s", ended)
    expect("HLT-07").equal(services, BOTH, "health is served as v1 and as v1alpha1")
