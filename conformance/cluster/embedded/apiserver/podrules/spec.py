"""The spec of a pod as a whole (ValidatePodSpec)."""

from conformance.cluster.embedded.apiserver import formats, rules
from conformance.cluster.embedded.apiserver.field_errors import forbidden, invalid, required
from conformance.cluster.embedded.apiserver.podrules import resources, security
from conformance.cluster.embedded.apiserver.podrules.claims import claims, used
from conformance.cluster.embedded.apiserver.podrules.containers import Containers
from conformance.cluster.embedded.apiserver.podrules.names import names
from conformance.cluster.embedded.apiserver.podrules.scheduling import scheduling
from conformance.cluster.embedded.apiserver.podrules.volumes import tokens, volumes
from conformance.cluster.embedded.apiserver.podrules.words import MOST_INT32, NOT_NEGATIVE, Errors, Row, between

_RESTARTS = ("Always", "OnFailure", "Never")


def spec_errors(spec: Row) -> Errors:
    """All that is wrong with a spec whose defaults are filled in."""
    known = yield from volumes(spec.get("volumes", []))
    claimed = yield from claims(spec.get("resourceClaims", []))
    yield from Containers(spec, claimed, known).errors()
    if "resources" in spec:
        yield from resources.of_pod(spec["resources"], spec.get("containers", []), "spec.resources")
        yield from used(spec["resources"].get("claims", []), claimed, "spec.resources.claims")
    yield from _host_network(spec)
    yield from rules.one_of(spec["restartPolicy"], _RESTARTS, "spec.restartPolicy")
    yield from security.of_pod(spec)
    yield from security.host(spec)
    yield from names(spec)
    yield from scheduling(spec)
    if not spec.get("serviceAccountName"):
        for field in tokens(spec.get("volumes", [])):
            yield forbidden(field, "must not be specified when serviceAccountName is not set")
    if not 1 <= spec.get("activeDeadlineSeconds", 1) <= MOST_INT32:
        yield invalid("spec.activeDeadlineSeconds", spec["activeDeadlineSeconds"], between(1, MOST_INT32))
    if spec["terminationGracePeriodSeconds"] < 0:
        yield invalid("spec.terminationGracePeriodSeconds", spec["terminationGracePeriodSeconds"], NOT_NEGATIVE)
    if "os" in spec:
        if not spec["os"].get("name"):
            yield required("spec.os.name")
        else:
            yield from rules.one_of(spec["os"]["name"], ("linux", "windows"), "spec.os")
    for index, row in enumerate(spec.get("readinessGates", [])):
        kind, field = row.get("conditionType", ""), f"spec.readinessGates[{index}].conditionType"
        yield from formats.each(formats.label_key(kind), field, kind)
    yield from resources.of_container({"limits": spec.get("overhead", {})}, "spec.overhead")


def _host_network(spec: Row) -> Errors:
    for index, container in enumerate(spec.get("containers", []) if spec.get("hostNetwork") else ()):
        for number, row in enumerate(container.get("ports", [])):
            if row.get("hostPort", 0) != row.get("containerPort", 0):
                field = f"spec.containers[{index}].ports[{number}].hostPort"
                yield invalid(field, row.get("hostPort", 0), "must match `containerPort` when `hostNetwork` is true")
