"""events.k8s.io/v1: the events of the core group under newer names (pkg/apis/events/v1/conversion.go)."""

from conformance.cluster.embedded.apiserver.objects import Object

_CORE_NAMES = {
    "reportingController": "reportingComponent",
    "regarding": "involvedObject",
    "note": "message",
    "deprecatedSource": "source",
    "deprecatedFirstTimestamp": "firstTimestamp",
    "deprecatedLastTimestamp": "lastTimestamp",
    "deprecatedCount": "count",
}
_NEWER_NAMES = {core: newer for newer, core in _CORE_NAMES.items()}


def to_stored(event: Object) -> Object:
    """As the core group has it."""
    return {_CORE_NAMES.get(key, key): value for key, value in event.items()}


def from_stored(event: Object) -> Object:
    """As events.k8s.io has it; what it does not require is left out when it is empty."""
    found = {_NEWER_NAMES.get(key, key): value for key, value in event.items()}
    return {
        key: value
        for key, value in found.items()
        if value != "" or key not in ("reportingController", "reportingInstance")
    }
