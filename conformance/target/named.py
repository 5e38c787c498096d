"""A driver under test of which only its name and that of a device class are known."""

from pathlib import Path

from pydantic import ValidationError

from conformance.target.model import DriverFile
from conformance.target.problems import TargetError
from conformance.target.target import Target

_POD_RUNNING = 180  # seconds; with a driver file it is its author who says, and images may have to be pulled
_OPTIONS = {"name": "--driver-name", "deviceClasses": "--device-class"}


def named_target(name: str, device_class: str) -> Target:
    """What can be said of it: a valid claim is for one device of the class. Raises TargetError for what is no name.

    Whether its pools belong to nodes is left open.
    """
    driver = {"name": name, "scope": "mixed", "deviceClasses": [{"name": device_class}]}
    try:
        file = DriverFile.model_validate({"drivers": [driver], "limits": {"podRunning": _POD_RUNNING}})
    except ValidationError as error:
        details = error.errors(include_url=False)[0]
        option = next(_OPTIONS[part] for part in details["loc"] if part in _OPTIONS)
        value = name if option == "--driver-name" else device_class
        raise TargetError(f"{option}={value} is no DNS name, which such names are; look it up on the cluster") from None
    return Target(file, Path(f"--driver-name={name}"))
