"""Rules of Pod (pkg/apis/core/validation/validation.go, ValidatePodCreate, -Update, -StatusUpdate)."""

from collections.abc import Sequence

from conformance.cluster.embedded.apiserver import rules
from conformance.cluster.embedded.apiserver.field_errors import FieldError, forbidden
from conformance.cluster.embedded.apiserver.podrules.spec import spec_errors
from conformance.cluster.embedded.apiserver.podrules.status import status_errors
from conformance.cluster.embedded.apiserver.podrules.updates import kept
from conformance.cluster.embedded.apiserver.write import Write


def validate(write: Write) -> Sequence[FieldError]:
    """A new pod, a change of one, or a status."""
    spec = write.new["spec"]
    if write.subresource and write.old is not None:
        return list(status_errors(write.new, write.old))
    errors = [*rules.metadata(write.new), *spec_errors(spec)]
    if write.old is not None:
        return [*errors, *kept(spec, write.old["spec"])]
    if spec.get("ephemeralContainers"):
        errors.append(forbidden("spec.ephemeralContainers", "cannot be set on create"))
    if spec.get("nodeName") and spec.get("schedulingGates"):
        errors.append(forbidden("spec.nodeName", "cannot be set until all schedulingGates have been cleared"))
    return errors
