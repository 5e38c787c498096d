"""A device as the variable of a CEL expression."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from conformance.cluster.embedded.scheduler.expressions import EvaluationError, device_value


class CelError(ValueError):
    """An expression that does not compile, or that cannot be evaluated for a device; the text is Kubernetes'."""


@dataclass(frozen=True)
class DeviceView:
    """What an expression can see of a device."""

    value: Mapping[str, Any]

    @classmethod
    def of(cls, driver: str, device: Mapping[str, Any]) -> "DeviceView":
        """The view of a device of a ResourceSlice. Raises CelError for a value that cannot be read."""
        try:
            return cls(device_value(driver, device))
        except EvaluationError as error:
            raise CelError(f"CEL runtime error: {error}") from None
        except Exception as error:
            raise CelError(f"CEL runtime error: internal error: {error}") from error
