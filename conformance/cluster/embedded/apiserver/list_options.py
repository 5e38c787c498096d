"""What a list or a watch is asked for (ListOptions of meta/v1), and pages of lists."""

import base64
import binascii
import json
from collections.abc import Iterator
from dataclasses import dataclass

from conformance.cluster.embedded.apiserver.field_errors import FieldError, forbidden, not_supported
from conformance.cluster.embedded.apiserver.objects import Key
from conformance.cluster.embedded.apiserver.request import RequestInfo
from conformance.cluster.embedded.apiserver.status import bad_request, failure, invalid_options

_NOT_OLDER, _EXACT = "NotOlderThan", "Exact"
_MATCH = "resourceVersionMatch"
_TOKEN_VERSION = "meta.k8s.io/v1"


@dataclass(frozen=True)
class Page:
    """Where the next page of a list begins: the state that the first one was of (None: any), and the last key seen."""

    version: int | None
    after: Key

    def token(self) -> str:
        """As the `continue` of a list."""
        body = {"v": _TOKEN_VERSION, "rv": -1 if self.version is None else self.version, "start": "/".join(self.after)}
        return base64.urlsafe_b64encode(json.dumps(body).encode()).decode().rstrip("=")

    @classmethod
    def of(cls, token: str) -> "Page":
        """Raises BadRequest for a text that is no such token."""
        try:
            body = json.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
            version, (namespace, _, name) = int(body["rv"]), str(body["start"]).partition("/")
        except (ValueError, KeyError, TypeError, binascii.Error) as error:
            raise bad_request(f"invalid continue token: continue key is not valid: {error}") from None
        return cls(None if version < 0 else version, (namespace, name))


def check_list_options(info: RequestInfo) -> None:
    """Raises Invalid for options that do not go together, BadRequest for values that are no numbers."""
    errors = list(_watch_errors(info) if info.verb == "watch" else _list_errors(info))
    if errors:
        raise invalid_options("ListOptions", errors)
    version = info.query.get("resourceVersion", "")
    if version and not (version.isascii() and version.isdecimal()):
        text = f'Invalid value: "{version}": strconv.ParseUint: parsing "{version}": invalid syntax'
        if info.verb == "watch":
            raise failure(500, "", f"resourceVersion: {text}")
        raise bad_request(f"invalid resource version: resourceVersion: {text}")


def number(info: RequestInfo, name: str) -> int:
    """A whole number of the query, 0 when it is not given. Raises BadRequest for anything else."""
    text = info.query.get(name, "")
    if text and not (text.isascii() and text.removeprefix("-").isdecimal()):
        raise bad_request(f'strconv.ParseInt: parsing "{text}": invalid syntax')
    return int(text or 0)


def _list_errors(info: RequestInfo) -> Iterator[FieldError]:
    match, version = info.query.get(_MATCH, ""), info.query.get("resourceVersion", "")
    if match and not version:
        yield forbidden(_MATCH, f"{_MATCH} is forbidden unless resourceVersion is provided")
    if match and info.query.get("continue"):
        yield forbidden(_MATCH, f"{_MATCH} is forbidden when continue is provided")
    if match and match not in (_EXACT, _NOT_OLDER):
        yield not_supported(_MATCH, match, [_EXACT, _NOT_OLDER, ""])
    if match == _EXACT and version == "0":
        yield forbidden(_MATCH, f'{_MATCH} "exact" is forbidden for resourceVersion "0"')
    if "sendInitialEvents" in info.query:
        yield forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list")


def _watch_errors(info: RequestInfo) -> Iterator[FieldError]:
    match, initial = info.query.get(_MATCH, ""), "sendInitialEvents" in info.query
    if initial and match != _NOT_OLDER:
        yield forbidden(_MATCH, f"sendInitialEvents requires setting {_MATCH} to {_NOT_OLDER}")
    if match and not initial:
        yield forbidden(_MATCH, f"{_MATCH} is forbidden for watch unless sendInitialEvents is provided")
    if match and match != _NOT_OLDER:
        yield not_supported(_MATCH, match, [_NOT_OLDER])
    if match and info.query.get("continue"):
        yield forbidden(_MATCH, f"{_MATCH} is forbidden when continue is provided")
