"""What an API server can refuse with.

ApiError                any Status of failure
├── BadRequest          400
├── Unauthorized        401
├── Forbidden           403
├── NotFound            404
├── AlreadyExists       409, a create
├── Conflict            409, an old resourceVersion or a precondition
├── Expired             410, a resourceVersion that is too old to watch from
├── Invalid             422
└── Unreachable         no answer at all
"""

from collections.abc import Mapping
from typing import Any


class ApiError(Exception):
    """A request that failed: HTTP status, the Status object's reason and message, and the whole Status."""

    def __init__(self, body: Mapping[str, Any]) -> None:
        self.body = dict(body)
        self.status = int(self.body.get("code") or 500)
        self.reason = str(self.body.get("reason") or "")
        self.message = str(self.body.get("message") or "")
        super().__init__(self.message)

    @staticmethod
    def of(body: Mapping[str, Any]) -> "ApiError":
        """The error, of its proper class, that a Status object (meta/v1) stands for."""
        return _BY_REASON.get(str(body.get("reason")), ApiError)(body)


class BadRequest(ApiError):
    """The request cannot be understood."""


class Unauthorized(ApiError):
    """The API server does not know who asks."""


class Forbidden(ApiError):
    """The one who asks may not do that."""


class NotFound(ApiError):
    """There is no such object, or no such resource."""


class AlreadyExists(ApiError):
    """An object of that name exists."""


class Conflict(ApiError):
    """The object changed in between, or a precondition does not hold."""


class Expired(ApiError):
    """The changes asked for are no longer kept: list again."""


class Invalid(ApiError):
    """The object breaks a rule of its API; `causes` has field, reason and message of each."""

    @property
    def causes(self) -> list[dict[str, str]]:
        """StatusDetails.causes."""
        return list((self.body.get("details") or {}).get("causes") or [])


class Unreachable(ApiError):
    """The API server gave no answer."""


_BY_REASON: dict[str, type[ApiError]] = {
    "BadRequest": BadRequest,
    "Unauthorized": Unauthorized,
    "Forbidden": Forbidden,
    "NotFound": NotFound,
    "AlreadyExists": AlreadyExists,
    "Conflict": Conflict,
    "Expired": Expired,
    "Gone": Expired,
    "Invalid": Invalid,
    "Unreachable": Unreachable,
}
