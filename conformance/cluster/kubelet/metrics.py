"""The kubelet's metrics about DRA and plugins, with its names, labels and buckets (kubelet/metrics, pluginmanager)."""

import threading
from collections import Counter
from collections.abc import Iterable, Mapping

_BUCKETS = tuple(0.1 * (40 / 0.1) ** (number / 14) for number in range(15))
_Labels = tuple[str, ...]

OPERATIONS = "dra_operations_duration_seconds"
CALLS = "dra_grpc_operations_duration_seconds"
PREPARE_SKIPS = "dra_node_prepare_skips_total"
UNPREPARE_SKIPS = "dra_node_unprepare_skips_total"
IN_USE = "dra_resource_claims_in_use"
PLUGINS = "plugin_manager_total_plugins"
ANY_DRIVER = "<any>"

_LABELS = {
    OPERATIONS: ("operation_name", "is_error"),
    CALLS: ("driver_name", "method_name", "grpc_status_code"),
    PREPARE_SKIPS: ("driver_name",),
    UNPREPARE_SKIPS: ("driver_name",),
    IN_USE: ("driver_name",),
    PLUGINS: ("socket_path", "state"),
}
_HELP = {
    OPERATIONS: "Latency histogram in seconds for the duration of handling all ResourceClaims referenced by a pod when "
    "the pod starts or stops. Identified by the name of the operation (PrepareResources or UnprepareResources) and "
    "separated by the success of the operation. The number of failed operations is provided through the histogram's "
    "overall count.",
    CALLS: "Duration in seconds of the DRA gRPC operations",
    PREPARE_SKIPS: "Cumulative number of times NodePrepareResources gRPC calls were skipped due to SkipNodeOperations.",
    UNPREPARE_SKIPS: "Cumulative number of times NodeUnprepareResources gRPC calls were skipped due to "
    "SkipNodeOperations.",
    IN_USE: "The number of ResourceClaims that are currently in use on the node, by driver name (driver_name label "
    "value) and across all drivers (special value <any> for driver_name). Note that the sum of all by-driver counts is "
    "not the total number of in-use ResourceClaims because the same ResourceClaim might use devices from different "
    "drivers. Instead, use the count for the <any> driver_name.",
    PLUGINS: "Number of plugins in Plugin Manager",
}


class _Durations:
    """How many were at most as long as each bound of _BUCKETS, how many there were, and how long all together."""

    def __init__(self) -> None:
        self.within = [0] * len(_BUCKETS)
        self.count = 0
        self.sum = 0.0

    def add(self, seconds: float) -> None:
        """One more."""
        self.within = [number + (seconds <= bound) for number, bound in zip(self.within, _BUCKETS, strict=True)]
        self.count += 1
        self.sum += seconds


class Metrics:
    """What was counted since the kubelet started."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._durations: dict[str, dict[_Labels, _Durations]] = {OPERATIONS: {}, CALLS: {}}
        self._skips: dict[str, Counter[str]] = {PREPARE_SKIPS: Counter(), UNPREPARE_SKIPS: Counter()}

    def took(self, name: str, seconds: float, *labels: str) -> None:
        """Something of OPERATIONS or CALLS took so long."""
        with self._lock:
            self._durations[name].setdefault(labels, _Durations()).add(seconds)

    def skipped(self, name: str, driver: str) -> None:
        """A call to a driver was not made: PREPARE_SKIPS or UNPREPARE_SKIPS."""
        with self._lock:
            self._skips[name][driver] += 1

    def text(self, in_use: Mapping[str, int], plugins: Iterable[tuple[str, str]]) -> str:
        """All of it in Prometheus' text form, with gauges as they are now.

        in_use: prepared claims by driver; plugins: sockets with "desired_state_of_world" or "actual_state_of_world".
        """
        with self._lock:
            parts = [*_simple(PLUGINS, "gauge", Counter(plugins))]
            parts += [*_simple(IN_USE, "gauge", {(driver,): number for driver, number in in_use.items()})]
            for name, by_driver in self._skips.items():
                parts += [*_simple(name, "counter", {(driver,): number for driver, number in by_driver.items()})]
            for name, by_labels in self._durations.items():
                parts += [*_histogram(name, by_labels)]
        return "".join(f"{line}\n" for line in parts)


def _head(name: str, kind: str) -> Iterable[str]:
    yield f"# HELP {name} [ALPHA] {_HELP[name]}"
    yield f"# TYPE {name} {kind}"


def _simple(name: str, kind: str, values: Mapping[_Labels, int]) -> Iterable[str]:
    if values:  # as with Prometheus' own library, what has no values is not there at all
        yield from _head(name, kind)
    for labels in sorted(values):
        yield f"{name}{{{_pairs(name, labels)}}} {values[labels]}"


def _histogram(name: str, by_labels: Mapping[_Labels, _Durations]) -> Iterable[str]:
    if by_labels:
        yield from _head(name, "histogram")
    for labels in sorted(by_labels):
        taken, pairs = by_labels[labels], _pairs(name, labels)
        for bound, number in zip(_BUCKETS, taken.within, strict=True):
            yield f'{name}_bucket{{{pairs},le="{repr(bound).removesuffix(".0")}"}} {number}'
        yield f'{name}_bucket{{{pairs},le="+Inf"}} {taken.count}'
        yield f"{name}_sum{{{pairs}}} {taken.sum}"
        yield f"{name}_count{{{pairs}}} {taken.count}"


def _pairs(name: str, labels: _Labels) -> str:
    def escaped(text: str) -> str:
        return text.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')

    return ",".join(f'{key}="{escaped(value)}"' for key, value in zip(_LABELS[name], labels, strict=True))
