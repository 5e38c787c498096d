"""Admission of opaque parameters: what a validating webhook answers when the API server asks it about an object.

Where parameters stand is the same in resource.k8s.io v1, v1beta2 and v1beta1.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .errors import ConfigError

Object = Mapping[str, Any]
Check = Callable[[Object], object]
"""Reads the parameters of one config. Raises ConfigError when they are not valid."""

API_VERSION, KIND = "admission.k8s.io/v1", "AdmissionReview"
PLACES = {
    "ResourceClaim": ("spec", "devices", "config"),
    "ResourceClaimTemplate": ("spec", "spec", "devices", "config"),
    "DeviceClass": ("spec", "config"),
}
"""Where the configs of each kind of object are."""
_UNPROCESSABLE = 422


@dataclass(frozen=True)
class Problem:
    """What is wrong with a field of the object, and where it is."""

    field: str
    message: str


def problems(obj: Object, driver: str, check: Check) -> list[Problem]:
    """What is wrong with the configs of an object that are for the driver; others are nothing to it."""
    place = PLACES.get(str(obj.get("kind")), ())
    found = []
    for number, config in enumerate(_configs(obj, place)):
        opaque = config.get("opaque") or {}
        if opaque.get("driver") != driver:
            continue
        path = f"{'.'.join(place)}[{number}].opaque.parameters"
        parameters = opaque.get("parameters") or {}
        try:
            if not isinstance(parameters, dict):
                raise ConfigError("must be an object")
            check(parameters)
        except ConfigError as error:
            found.append(Problem(f"{path}.{error.field}" if error.field else path, str(error)))
    return found


def answer(review: Object, driver: str, check: Check) -> dict[str, Any]:
    """The answer to an AdmissionReview. Raises ValueError when it is none.

    What an object had before stays allowed: it may have been made while nobody looked, and must not be kept from being
    labelled, finalized and deleted.
    """
    request = review.get("request")
    if review.get("apiVersion") != API_VERSION or review.get("kind") != KIND or not isinstance(request, dict):
        raise ValueError(f"the body must be an {KIND} of {API_VERSION} with a request")
    new, old = request.get("object") or {}, request.get("oldObject") or {}
    place = PLACES.get(str(new.get("kind")), ())
    unchanged = bool(old) and _configs(new, place) == _configs(old, place)
    wrong = [] if unchanged else problems(new, driver, check)
    response: dict[str, Any] = {"uid": request.get("uid", ""), "allowed": not wrong}
    if wrong:
        response["status"] = _status(wrong)
    return {"apiVersion": API_VERSION, "kind": KIND, "response": response}


def _configs(obj: Object, place: tuple[str, ...]) -> list[Object]:
    found: Any = obj if place else []
    for name in place:
        found = found.get(name) or {} if isinstance(found, dict) else {}
    return [config for config in found if isinstance(config, dict)] if isinstance(found, list) else []


def _status(wrong: list[Problem]) -> dict[str, Any]:
    message = "; ".join(f"{problem.field}: {problem.message}" for problem in wrong)
    causes = [{"reason": "FieldValueInvalid", "field": row.field, "message": row.message} for row in wrong]
    return {
        "status": "Failure",
        "code": _UNPROCESSABLE,
        "reason": "Invalid",
        "message": message,
        "details": {"causes": causes},
    }
