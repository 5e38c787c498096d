"""GpuConfig, the driver's opaque parameters: how the containers of a claim share a GPU."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reference_driver.plugin import ClaimError

API_VERSION, KIND = "gpu.resource.example.com/v1alpha1", "GpuConfig"
TIME_SLICING, SPACE_PARTITIONING = "TimeSlicing", "SpacePartitioning"
INTERVALS = ("Default", "Short", "Medium", "Long")


@dataclass(frozen=True)
class GpuConfig:
    """One way of sharing: time slices of an interval, or a number of partitions."""

    strategy: str = TIME_SLICING
    interval: str = "Default"
    partition_count: int = 1

    def env(self, prefix: str) -> list[str]:
        """What a container is told about it."""
        setting = f"{prefix}_TIMESLICE_INTERVAL={self.interval}"
        if self.strategy == SPACE_PARTITIONING:
            setting = f"{prefix}_PARTITION_COUNT={self.partition_count}"
        return [f"{prefix}_SHARING_STRATEGY={self.strategy}", setting]

    @classmethod
    def decode(cls, parameters: Mapping[str, Any]) -> "GpuConfig":
        """From a claim's or class's parameters. Raises ClaimError naming the field, not its value: it may be secret."""
        if parameters.get("apiVersion") != API_VERSION or parameters.get("kind") != KIND:
            raise ClaimError(f"GPU config must have apiVersion {API_VERSION} and kind {KIND}")
        _only(parameters, "", "apiVersion", "kind", "sharing")
        sharing = _section(parameters, "", "sharing")
        _only(sharing, "sharing.", "strategy", "timeSlicingConfig", "spacePartitioningConfig")
        strategy = _one_of(sharing, "sharing.", "strategy", (TIME_SLICING, SPACE_PARTITIONING))
        slicing = _section(sharing, "sharing.", "timeSlicingConfig")
        partitioning = _section(sharing, "sharing.", "spacePartitioningConfig")
        _only(slicing, "sharing.timeSlicingConfig.", "interval")
        _only(partitioning, "sharing.spacePartitioningConfig.", "partitionCount")
        _only_with(strategy, slicing, partitioning)
        interval = _one_of(slicing, "sharing.timeSlicingConfig.", "interval", INTERVALS)
        return cls(strategy, interval, _count(partitioning))


def _only(section: Mapping[str, Any], path: str, *known: str) -> None:
    for name in section:
        if name not in known:
            raise ClaimError(f"GPU config has an unknown field {path}{name}; known here: {', '.join(known)}")


def _section(parent: Mapping[str, Any], path: str, name: str) -> Mapping[str, Any]:
    section = parent.get(name)
    if section is None:
        return {}
    if not isinstance(section, dict):
        raise ClaimError(f"GPU config field {path}{name} must be an object")
    return section


def _one_of(section: Mapping[str, Any], path: str, name: str, values: tuple[str, ...]) -> str:
    value = section.get(name, values[0])
    if value not in values:
        raise ClaimError(f"GPU config field {path}{name} must be one of {', '.join(values)}")
    return str(value)


def _only_with(strategy: str, slicing: Mapping[str, Any], partitioning: Mapping[str, Any]) -> None:
    if slicing and strategy != TIME_SLICING:
        raise ClaimError(f"GPU config field sharing.timeSlicingConfig needs strategy {TIME_SLICING}")
    if partitioning and strategy != SPACE_PARTITIONING:
        raise ClaimError(f"GPU config field sharing.spacePartitioningConfig needs strategy {SPACE_PARTITIONING}")


def _count(partitioning: Mapping[str, Any]) -> int:
    count = partitioning.get("partitionCount", 1)
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        raise ClaimError(
            "GPU config field sharing.spacePartitioningConfig.partitionCount must be a whole number above 0"
        )
    return count
