"""Rules by which requests to an API server are disturbed on their way: delayed, refused, lost, changed."""

import re
import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

Object = dict[str, Any]
Change = Callable[[Object], Object]

_REASONS = {
    403: "Forbidden",
    404: "NotFound",
    409: "Conflict",
    410: "Expired",
    429: "TooManyRequests",
    500: "InternalError",
    503: "ServiceUnavailable",
    504: "Timeout",
}


@dataclass(frozen=True)
class Refusal:
    """An answer in the API server's place: an HTTP status with a Status object. `retry_after` in seconds."""

    status: int
    message: str = "disturbed on purpose"
    retry_after: int | None = None

    def body(self) -> Object:
        """The Status object."""
        reason = _REASONS.get(self.status, "InternalError")
        head = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure"}
        return {**head, "message": self.message, "reason": reason, "code": self.status}


@dataclass(frozen=True)
class Rule:
    """What happens to the requests that it is for. All rules that fit apply, in order; the first refusal or loss wins.

    methods: of which requests, () for all; path: regular expression that is searched in path and query.
    times: how many requests at most; None for all. delay: seconds before anything else happens.
    refusal: answered in the API server's place. lose_request: the connection is closed, nothing is passed on.
    lose_answer: passed on, then the connection is closed without the answer.
    change_request: of the object in the body; change_answer: of each object in the answer, also of lists and watches.
    """

    methods: Collection[str] = ()
    path: str = ""
    times: int | None = None
    delay: float = 0.0
    refusal: Refusal | None = None
    lose_request: bool = False
    lose_answer: bool = False
    change_request: Change | None = None
    change_answer: Change | None = None
    _used: list[str] = field(default_factory=list, repr=False, compare=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)

    def take(self, method: str, target: str) -> bool:
        """Whether it is for this request, which then counts as one of its `times`. For use from any thread."""
        if (self.methods and method not in self.methods) or not re.search(self.path, target):
            return False
        with self._lock:
            if self.times is not None and len(self._used) >= self.times:
                return False
            self._used.append(f"{method} {target}")
        return True

    @property
    def used(self) -> list[str]:
        """The requests that it was applied to, as "PUT /apis/…", in order."""
        with self._lock:
            return list(self._used)
