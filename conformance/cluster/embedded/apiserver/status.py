"""Refusals with the texts of the API server (k8s.io/apimachinery/pkg/api/errors), as exceptions of the client."""

from collections.abc import Sequence
from typing import Any

from conformance.cluster.api_errors import ApiError
from conformance.cluster.embedded.apiserver.field_errors import FieldError, aggregate
from conformance.cluster.resources import Resource

_EXPIRED_PAGE = (
    "The provided continue parameter is too old to display a consistent list result. "
    "You can start a new list without the continue parameter, or use the continue token in this response to retrieve "
    "the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that "
    "were created, modified, or deleted between the time the first chunk was returned and now may show up in the list."
)


def failure(code: int, reason: str, message: str, **details: Any) -> ApiError:
    """A Status of failure; `details` is StatusDetails."""
    body: dict[str, Any] = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure"}
    body |= {"message": message, **({"reason": reason} if reason else {}), "code": code}
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
    return generic(404, "NotFound", "the server could not find the requested resource")


def already_exists(resource: Resource, name: str) -> ApiError:
    """409: a create for a name that is taken."""
    return failure(409, "AlreadyExists", f'{resource.qualified} "{name}" already exists', **_about(resource, name))


def conflict(resource: Resource, name: str, why: str = "") -> ApiError:
    """409: an old resourceVersion or a precondition that does not hold."""
    text = why or "the object has been modified; please apply your changes to the latest version and try again"
    message = f'Operation cannot be fulfilled on {resource.qualified} "{name}": {text}'
    return failure(409, "Conflict", message, **_about(resource, name))


def apply_conflict(rows: Sequence[tuple[str, Sequence[str]]]) -> ApiError:
    """409: an apply would change fields of other managers; rows are managers, as messages name them, and fields."""
    pairs = [(who, path) for who, paths in rows for path in paths]
    causes = [{"reason": "FieldManagerConflict", "message": f"conflict with {who}", "field": p} for who, p in pairs]
    if len(pairs) == 1:
        message = f"Apply failed with 1 conflict: conflict with {pairs[0][0]}: {pairs[0][1]}"
    else:
        lines = [line for who, paths in rows for line in (f"conflicts with {who}:", *(f"- {path}" for path in paths))]
        message = f"Apply failed with {len(pairs)} conflicts: " + "\n".join(lines)
    return failure(409, "Conflict", message, causes=causes)


def invalid(resource: Resource, name: str, errors: Sequence[FieldError]) -> ApiError:
    """422: the object breaks rules of its API."""
    kind = f"{resource.kind}.{resource.group}" if resource.group else resource.kind
    message = f'{kind} "{name}" is invalid: {aggregate(errors)}'
    causes = [error.cause() for error in errors]
    return failure(422, "Invalid", message, name=name, group=resource.group, kind=resource.kind, causes=causes)


def invalid_options(name: str, errors: Sequence[FieldError]) -> ApiError:
    """422: options of a request that make no sense, such as CreateOptions."""
    message = f'{name}.meta.k8s.io "" is invalid: {aggregate(errors)}'
    causes = [error.cause() for error in errors]
    return failure(422, "Invalid", message, group="meta.k8s.io", kind=name, causes=causes)


def patch_invalid(error: FieldError) -> ApiError:
    """422: what came out of a patch cannot be read."""
    return failure(422, "Invalid", f' "" is invalid: {error}', causes=[error.cause()])


def generic(code: int, reason: str, message: str) -> ApiError:
    """A refusal that is not about an object (NewGenericServerResponse): with details, but none in them."""
    error = failure(code, reason, message)
    error.body["details"] = {}
    return error


def not_allowed() -> ApiError:
    """405: nothing of that kind can be done there."""
    text = "the server does not allow this method on the requested resource"
    return generic(405, "MethodNotAllowed", text)


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


def expired_page(token: str) -> ApiError:
    """410: the state that the pages of a list were of is no longer kept; `token` goes on with what there is now."""
    error = failure(410, "Expired", _EXPIRED_PAGE)
    error.body["metadata"] = {"continue": token}
    return error


def too_large_version(wanted: int, newest: int) -> ApiError:
    """504: a state that was not there yet."""
    causes = [{"reason": "ResourceVersionTooLarge", "message": "Too large resource version"}]
    text = f"Timeout: Too large resource version: {wanted}, current: {newest}"
    return failure(504, "Timeout", text, causes=causes, retryAfterSeconds=1)


def unsupported_media(supported: str) -> ApiError:
    """415: a body in another encoding."""
    message = f"the body of the request was in an unknown format - accepted media types include: {supported}"
    return failure(415, "UnsupportedMediaType", message)


def success(resource: Resource, name: str = "") -> dict[str, Any]:
    """A Status of success."""
    details = {key: value for key, value in _about(resource, name).items() if value}
    return {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "details": details}


def unexplained(message: str) -> ApiError:
    """500 without a reason: an error that the API server did not expect."""
    error = failure(500, "", message)
    error.body.pop("reason", None)
    return error
