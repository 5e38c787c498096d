"""How NVML's functions can fail: the errors' names in inventories, and their numbers in NVML."""

from typing import Any

from .fields import InventoryError, text

ERRORS = {
    "uninitialized": 1,
    "invalid-argument": 2,
    "not-supported": 3,
    "no-permission": 4,
    "not-found": 6,
    "insufficient-size": 7,
    "insufficient-power": 8,
    "driver-not-loaded": 9,
    "timeout": 10,
    "irq-issue": 11,
    "library-not-found": 12,
    "function-not-found": 13,
    "corrupted-inforom": 14,
    "gpu-is-lost": 15,
    "reset-required": 16,
    "operating-system": 17,
    "lib-rm-version-mismatch": 18,
    "in-use": 19,
    "memory": 20,
    "no-data": 21,
    "insufficient-resources": 23,
    "argument-version-mismatch": 25,
    "not-ready": 27,
    "gpu-not-found": 28,
    "invalid-state": 29,
    "unknown": 999,
}
HANG = {"hang": 1000}
"""The function does not return while it is to hang; no number of NVML's, but one of our table."""


def nvml_function(value: Any, where: str, name: str) -> None:
    """Checks the name of a function of NVML, or * for all of them."""
    text(value, where, name)
    if value != "*" and not (value.startswith("nvml") and value.isidentifier()):
        raise InventoryError(f"{where}: {name} must be a function such as nvmlDeviceGetName, or *")
