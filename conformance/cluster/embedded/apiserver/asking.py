"""Who asks for what, for rules that depend on it: known while one request is answered."""

from contextvars import ContextVar
from dataclasses import dataclass
from typing import Protocol


class Rights(Protocol):
    """What rules have to know of a user."""

    @property
    def trusted(self) -> bool:
        """Whether everything is allowed."""

    @property
    def username(self) -> str:
        """As Kubernetes names it."""

    @property
    def node(self) -> str:
        """The node that the user's token is bound to, "" for none."""

    def may(self, verb: str, resource: str) -> bool:
        """Whether that is allowed; resources with subresource."""


@dataclass(frozen=True)
class Asking:
    """A user and the verb of the request."""

    user: Rights
    verb: str


ASKING: ContextVar[Asking | None] = ContextVar("asking", default=None)
"""None where the harness itself, the scheduler or a controller writes."""
