"""GpuConfig, the driver's opaque parameters: how the containers of a claim share a GPU."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reference_driver.plugin import ConfigError

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
        """From the parameters of a claim or class. Raises ConfigError naming the field; its value may be secret."""
        for name, wanted in (("apiVersion", API_VERSION), ("kind", KIND)):
            if parameters.get(name) != wanted:
                raise ConfigError(f"GPU config must have apiVersion {API_VERSION} and kind {KIND}", name)
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


def _wrong(field: str, what: str) -> ConfigError:
    return ConfigError(f"GPU config field {field} {what}", field)


def _only(section: Mapping[str, Any], path: str, *known: str) -> None:
    for name in section:
        if name not in known:
            field = f"{path}{name}"
            raise ConfigError(f"GPU config has an unknown field {field}; known here: {', '.join(known)}", field)


def _section(parent: Mapping[str, Any], path: str, name: str) -> Mapping[str, Any]:
    section = parent.get(name)
    if section is None:
        return {}
    if not isinstance(section, dict):
        raise _wrong(f"{path}{name}", "must be an object")
    return section


def _one_of(section: Mapping[str, Any], path: str, name: str, values: tuple[str, ...]) -> str:
    value = section.get(name, values[0])
    if value not in values:
        raise _wrong(f"{path}{name}", f"must be one of {', '.join(values)}")
    return str(value)


def _only_with(strategy: str, slicing: Mapping[str, Any], partitioning: Mapping[str, Any]) -> None:
    if slicing and strategy != TIME_SLICING:
        raise _wrong("sharing.timeSlicingConfig", f"needs strategy {TIME_SLICING}")
    if partitioning and strategy != SPACE_PARTITIONING:
        raise _wrong("sharing.spacePartitioningConfig", f"needs strategy {SPACE_PARTITIONING}")


def _count(partitioning: Mapping[str, Any]) -> int:
    count = partitioning.get("partitionCount", 1)
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        raise _wrong("sharing.spacePartitioningConfig.partitionCount", "must be a whole number above 0")
    return count
