"""Rules that Kubernetes declares with its types, with the texts of k8s.io/apimachinery/pkg/api/validate.

What breaks one is an error of the version in use; a value that an update leaves as it was is not looked at again.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from conformance.cluster.embedded.apiserver import formats
from conformance.cluster.embedded.apiserver.field_errors import (
    FieldError,
    duplicate,
    invalid,
    not_supported,
    required,
    too_long,
    too_many,
)

Errors = Iterator[FieldError]
Rule = Callable[[Any, str], Errors]

_UUID = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_DRIVER_LENGTH, _DOMAIN_BYTES, _POOL_BYTES = 63, 63, 253
_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_CASELESS = re.compile(rf"{_LABEL}(\.{_LABEL})*", re.IGNORECASE)
_CASELESS_TEXT = (
    "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end with an "
    f"alphanumeric character (e.g. 'Example.com', regex used for validation is '{_LABEL}(\\.{_LABEL})*')"
)


@dataclass(frozen=True)
class Items:
    """A list: the rule of its items, the most that there may be, and what makes two of them the same."""

    rule: Rule | None = None
    limit: int | None = None
    key: Callable[[Any], Any] | None = None

    def __call__(self, rows: Sequence[Any] | None, field: str) -> Errors:
        """The list's errors."""
        if not rows:
            return
        if self.limit is not None and len(rows) > self.limit:
            yield too_many(field, len(rows), self.limit)
            return
        if self.key is not None:
            keys = [self.key(row) for row in rows]
            for index, key in enumerate(keys):
                if key in keys[:index]:
                    yield duplicate(f"{field}[{index}]", rows[index])
        for index, row in enumerate(rows if self.rule else ()):
            yield from self.rule(row, f"{field}[{index}]") if self.rule else ()


def one_of(value: str | None, allowed: Sequence[str], field: str, *, needed: bool = False) -> Errors:
    """A value of an enumeration."""
    if value:
        if value not in allowed:
            yield not_supported(field, value, allowed)
    elif needed:
        yield required(field)


def driver(value: str, field: str) -> Errors:
    """The name of a driver, in any case."""
    if not value:
        yield required(field)
        return
    if len(value.encode()) > _POOL_BYTES:
        yield invalid(field, value, f"must be no more than {_POOL_BYTES} bytes")
    if not _CASELESS.fullmatch(value):
        yield invalid(field, value, _CASELESS_TEXT)
    if len(value) > _DRIVER_LENGTH:
        yield FieldError("FieldValueTooLong", field, "", f"may not be more than {_DRIVER_LENGTH} characters")


def pool(value: str, field: str) -> Errors:
    """The name of a pool: DNS subdomains with slashes between them."""
    if not value:
        yield required(field)
        return
    if len(value.encode()) > _POOL_BYTES:
        yield too_long(field, _POOL_BYTES)
    for index, part in enumerate(value.split("/")):
        if not part:
            yield invalid(field, value, f"segment {index}: must not be empty")
        else:
            yield from (invalid(field, part, f"segment {index}: {text}") for text in formats.dns_subdomain(part))


def qualified(value: str, field: str) -> Errors:
    """`domain/id`; names with two or more slashes pass."""
    parts = value.split("/")
    if len(parts) == 2:
        yield from _domain(parts[0], field)
    if len(parts) <= 2:
        name = parts[-1]
        yield from (
            formats.c_identifier(name, field)
            if name or len(parts) == 1
            else [invalid(field, "", "name must not be empty")]
        )
    if "/" not in value:
        yield invalid(field, value, "a fully qualified name must be a domain and a name separated by a slash")


def _domain(value: str, field: str) -> Errors:
    if not value:
        yield invalid(field, "", "prefix must not be empty")
        return
    if len(value.encode()) > _DOMAIN_BYTES:
        yield too_long(field, _DOMAIN_BYTES)
    yield from (invalid(field, value, f"prefix: {text}") for text in formats.dns_subdomain(value))


def uuid(value: str | None, field: str) -> Errors:
    """A UUID in lower case."""
    if value is not None and not _UUID.fullmatch(value):
        yield invalid(field, value, "must be a lowercase UUID in 8-4-4-4-12 format")


def bytes_at_most(limit: int, value: str | None, field: str) -> Errors:
    """A text of at most so many bytes."""
    if value and len(value.encode()) > limit:
        yield too_long(field, limit)
