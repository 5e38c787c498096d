"""Refusals with the texts of the API server (k8s.io/apimachinery/pkg/api/errors), as exceptions of the client."""

from collections.abc import Sequence
from typing import Any

from conformance.cluster.api_errors import ApiError
from conformance.cluster.embedded.apiserver.field_errors import FieldError, aggregate
from conformance.cluster.resources import Resource


def failure(code: int, reason: str, message: str, **details: Any) -> ApiError:
    """A Status of failure; `details` is StatusDetails."""
    body: dict[str, Any] = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure"}
    body |= {"message": message, "reason": reason, "code": code}
    if details:
        body["details"] = {key: value for key, value in details.items() if value}
    return ApiError.of(body)


def _about(resource: Resource, name: str) -> dict[str, str]:
    return {"name": name, "group": resource.group, "kind": resource.plural}


def not_found(resource: Resource, name: str) -> ApiError:
    """404: no such object."""
    return failure(404, "NotFound", f'{resource.qualified} "{name}" not found', **_about(resource, name))


def no_such_path() -> ApiError:
    """404: nothing is served there."""
    return failure(404, "NotFound", "the server could not find the requested resource")


def already_exists(resource: Resource, name: str) -> ApiError:
    """409: a create for a name that is taken."""
    return failure(409, "AlreadyExists", f'{resource.qualified} "{name}" already exists', **_about(resource, name))


def conflict(resource: Resource, name: str, why: str = "") -> ApiError:
    """409: an old resourceVersion or a precondition that does not hold."""
    text = why or "the object has been modified; please apply your changes to the latest version and try again"
    message = f'Operation cannot be fulfilled on {resource.qualified} "{name}": {text}'
    return failure(409, "Conflict", message, **_about(resource, name))


def invalid(resource: Resource, name: str, errors: Sequence[FieldError]) -> ApiError:
    """422: the object breaks rules of its API."""
    kind = f"{resource.kind}.{resource.group}" if resource.group else resource.kind
    message = f'{kind} "{name}" is invalid: {aggregate(errors)}'
    causes = [error.cause() for error in errors]
    return failure(422, "Invalid", message, name=name, group=resource.group, kind=resource.kind, causes=causes)


def bad_request(message: str) -> ApiError:
    """400: the request cannot be understood."""
    return failure(400, "BadRequest", message)


def unauthorized() -> ApiError:
    """401: no or an unknown bearer token."""
    return failure(401, "Unauthorized", "Unauthorized")


def forbidden(resource: Resource, name: str, why: str) -> ApiError:
    """403: not for this user, or not in this state."""
    subject = f'{resource.qualified} "{name}"' if name else resource.qualified
    return failure(403, "Forbidden", f"{subject} is forbidden: {why}", **_about(resource, name))


def expired(wanted: int, oldest: int) -> ApiError:
    """410: the changes since then are no longer kept."""
    return failure(410, "Expired", f"too old resource version: {wanted} ({oldest})")


def unsupported_media(content_type: str, supported: str) -> ApiError:
    """415: a body in another encoding."""
    message = f"the body of the request was in an unknown format - accepted media types include: {supported}"
    return failure(415, "UnsupportedMediaType", message, name=content_type)


def success(resource: Resource, name: str = "") -> dict[str, Any]:
    """A Status of success."""
    details = {key: value for key, value in _about(resource, name).items() if value}
    return {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "details": details}
