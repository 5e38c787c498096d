"""New pods that admission refuses: classes that are not there, priorities that are not those of their class.

Source: plugin/pkg/admission/priority, plugin/pkg/admission/runtimeclass.
"""

from conformance.cluster.embedded.apiserver import status
from conformance.cluster.embedded.apiserver.objects import Object
from conformance.cluster.embedded.apiserver.pod_defaults import PRIORITIES
from conformance.cluster.resources import RESOURCES

_GIVEN = "must not be provided in pod spec; priority admission controller computed"
_FROM = "from the given PriorityClass name"
_POLICY = "PreemptLowerPriority"


def review(pod: Object) -> None:
    """Raises Forbidden for a new pod that is not admitted."""
    why = _objection(pod["spec"])
    if why:
        raise status.forbidden(RESOURCES["pods"], pod["metadata"]["name"], why)


def _objection(spec: Object) -> str:
    name, policy = spec.get("priorityClassName", ""), spec.get("preemptionPolicy", _POLICY)
    if name and name not in PRIORITIES:
        return f"no PriorityClass with name {name} was found"
    priority = PRIORITIES.get(name, 0)
    if spec.get("priority", priority) != priority:
        return f"the integer value of priority ({spec['priority']}) {_GIVEN} {priority} {_FROM}"
    if policy != _POLICY:
        return f"the string value of PreemptionPolicy ({policy}) {_GIVEN} {_POLICY} {_FROM}"
    if "runtimeClassName" in spec:
        return f'pod rejected: RuntimeClass "{spec["runtimeClassName"]}" not found'
    return ""
