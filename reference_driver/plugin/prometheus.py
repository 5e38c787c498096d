"""The plugin's metrics for Prometheus. Imported only where they are wanted: prometheus_client takes its time."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from .metrics import Metrics

CONTENT_TYPE: str = CONTENT_TYPE_LATEST
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 45.0)
"""Seconds; the kubelet gives a call 45."""

Reading = tuple[str, str, str, Mapping[str, float]]
"""A gauge as it is now: its name, what it means, its label, its values by that; "" where it has no label."""


class PrometheusMetrics(Metrics):
    """Counters and histograms of its own registry, and gauges that are read when somebody asks."""

    def __init__(self, facts: Mapping[str, str], gauges: Callable[[], Iterator[Reading]]) -> None:
        """`facts` are the labels of dra_driver_info; `gauges` reads what can be looked up."""
        disable_created_metrics()  # type: ignore[no-untyped-call]  # of when each series began
        registry = CollectorRegistry()
        self._facts = dict(facts)
        self._gauges = gauges
        self._claims = Counter(
            "dra_claim_operations_total",
            "Claims that the kubelet wanted prepared or unprepared, by what came of it: success, error, timeout.",
            ["operation", "outcome"],
            registry=registry,
        )
        self._seconds = Histogram(
            "dra_call_duration_seconds",
            "How long calls of the kubelet took, each for one or more claims.",
            ["operation"],
            buckets=_BUCKETS,
            registry=registry,
        )
        self._requests = Counter(
            "dra_api_requests_total",
            'Requests to the API server, by method and HTTP status; code is "none" where no answer came.',
            ["method", "code"],
            registry=registry,
        )
        self._writes = Counter(
            "dra_resourceslice_writes_total",
            "ResourceSlices that were created, updated or deleted.",
            ["operation"],
            registry=registry,
        )
        self._corrupt = Counter(
            "dra_corrupt_state_files_total",
            "State files that could not be read and were set aside.",
            registry=registry,
        )
        for operation in ("prepare", "unprepare"):
            self._seconds.labels(operation)
            for outcome in ("success", "error", "timeout"):
                self._claims.labels(operation, outcome)  # a series that begins with 0 shows the first failure
        registry.register(self)
        ProcessCollector(registry=registry)
        self._registry = registry

    def call(self, operation: str, seconds: float, outcomes: Mapping[str, int]) -> None:
        """Count claims and take the time."""
        self._seconds.labels(operation).observe(seconds)
        for outcome, count in outcomes.items():
            self._claims.labels(operation, outcome).inc(count)

    def request(self, method: str, status: int) -> None:
        """Count a request."""
        self._requests.labels(method, str(status) if status else "none").inc()

    def slice_written(self, operation: str) -> None:
        """Count a write."""
        self._writes.labels(operation).inc()

    def state_file_corrupt(self) -> None:
        """Count a file."""
        self._corrupt.inc()

    def text(self) -> bytes:
        """Everything in Prometheus' text format."""
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Any]:
        """The gauges; called by the registry."""
        info = GaugeMetricFamily("dra_driver_info", "Which driver this is.", labels=list(self._facts))
        info.add_metric(list(self._facts.values()), 1)
        yield info
        for name, meaning, label, values in self._gauges():
            family = GaugeMetricFamily(name, meaning, labels=[label] if label else [])
            for of_label, value in values.items():
                family.add_metric([of_label] if label else [], value)
            yield family

    def describe(self) -> list[Any]:
        """Nothing: the registry would otherwise read all gauges at its start."""
        return []
