"""What is counted while the plugin works: nothing, until somebody wants to be told (`--http-address`)."""

from collections.abc import Mapping


class Metrics:
    """Takes note of nothing; `prometheus.PrometheusMetrics` does. Calls come from any thread and must not wait."""

    def call(self, operation: str, seconds: float, outcomes: Mapping[str, int]) -> None:
        """A call of the kubelet was answered: "prepare" or "unprepare", and how many claims had which outcome."""

    def request(self, method: str, status: int) -> None:
        """A request to the API server was answered with an HTTP status, or not at all (0)."""

    def slice_written(self, operation: str) -> None:
        """A ResourceSlice was written: "create", "update" or "delete"."""

    def state_file_corrupt(self) -> None:
        """A state file could not be read and was set aside."""


class _Switch:
    """Which metrics this process keeps: those of the process, like its log."""

    metrics: Metrics = Metrics()


def current() -> Metrics:
    """Where to count."""
    return _Switch.metrics


def use(metrics: Metrics) -> None:
    """Count here from now on."""
    _Switch.metrics = metrics
