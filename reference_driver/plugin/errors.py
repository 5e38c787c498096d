"""What can go wrong in a plugin.

PluginError            anything this package raises on purpose
├── ClaimError         one claim cannot be prepared or unprepared; the text ends in the pod's event
│   ├── Unanswered     the API server cannot be asked about the claim just now
│   └── ConfigError    because of its opaque parameters
├── OutOfTime          the kubelet gave up on the call before the work began
└── KubeError          the API server refused, failed or could not be reached
    ├── NotFound       404: there is no such object
    ├── Conflict       409
    └── Gone           410: a watch's resource version is too old
"""

from typing import Any


class PluginError(Exception):
    """Base of all errors raised on purpose."""


class ClaimError(PluginError):
    """One claim cannot be prepared or unprepared. The text names what and why; the kubelet shows it on the pod."""


class Unanswered(ClaimError):
    """The API server is away, or too busy to say what it knows of the claim."""


class ConfigError(ClaimError):
    """Opaque parameters are wrong: `field` is the path of the one that is, "" for all of them."""

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field


class OutOfTime(PluginError):
    """The deadline passed or the caller went away while the call waited for its turn."""


class KubeError(PluginError):
    """A request to the API server failed. `status` is the HTTP status, 0 when no answer came."""

    def __init__(self, status: int, reason: str, message: str, retry_after: float = 0) -> None:
        super().__init__(message)
        self.status = status
        self.reason = reason
        self.retry_after = retry_after

    @property
    def passes(self) -> bool:
        """Whether the server could not answer, which passes, rather than did not want to."""
        return self.status in (0, 429) or self.status >= 500


class NotFound(KubeError):
    """The object is not there."""


class Conflict(KubeError):
    """The object was changed or replaced meanwhile, or already exists."""


class Gone(KubeError):
    """The resource version of a watch is too old: list again."""


def told(error: Exception) -> str:
    """What others are told of an error: of one that nobody expected not its text, which may quote a configuration."""
    if isinstance(error, PluginError | OSError):
        return str(error)
    return f"internal error: {type(error).__name__}; the driver's log says where"


_BY_STATUS = {404: NotFound, 409: Conflict, 410: Gone}


def kube_error(status: int, body: dict[str, Any], what: str, retry_after: float = 0) -> KubeError:
    """The error for an HTTP status and the Status object that came with it; `what` names the request."""
    # Only a Status says that an object is not there; a bare 404 comes from a server that lacks the whole API just now.
    kind = _BY_STATUS.get(status, KubeError) if body.get("kind") == "Status" else KubeError
    message = str(body.get("message") or f"HTTP status {status}")
    return kind(status, str(body.get("reason", "")), f"{what}: {message}", retry_after)
