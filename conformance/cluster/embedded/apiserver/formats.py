"""Formats of names and values (k8s.io/apimachinery/pkg/api/validate/content), as lists of what is wrong."""

import re
from collections.abc import Iterator
from typing import Any

from conformance.cluster.embedded.apiserver.field_errors import FieldError, invalid, required, too_long

Errors = Iterator[FieldError]

_LABEL_RE = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN_RE = rf"{_LABEL_RE}(\.{_LABEL_RE})*"
_KEY_RE = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_C_RE = "[A-Za-z_][A-Za-z0-9_]*"
_LABEL, _SUBDOMAIN, _KEY, _C = (re.compile(text) for text in (_LABEL_RE, _SUBDOMAIN_RE, _KEY_RE, _C_RE))
_VALUE = re.compile(f"({_KEY_RE})?")
_SEMVER = re.compile(
    r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)"
    r"(-(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?"
    r"(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?",
    re.ASCII,
)
_UUID = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_ALNUM = "and must start and end with an alphanumeric character"
_LABEL_TEXT = f"a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', {_ALNUM}"
_SUBDOMAIN_TEXT = (
    f"a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', {_ALNUM}"
)
_KEY_TEXT = f"must consist of alphanumeric characters, '-', '_' or '.', {_ALNUM}"
_VALUE_TEXT = f"a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', {_ALNUM}"
_C_TEXT = (
    "a valid C identifier must start with alphabetic character or '_', "
    "followed by a string of alphanumeric characters or '_'"
)
_REASON_RE = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?"
_REASON = re.compile(_REASON_RE)
_REASON_TEXT = (
    "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric "
    "characters or '_,:', and must end with an alphanumeric character or '_'"
)
_ID_BYTES = 32
_DRIVER_BYTES = 63


def _regex(text: str, pattern: str, *examples: str) -> str:
    samples = " or ".join(f"'{example}', " for example in examples)
    return f"{text} (e.g. {samples}regex used for validation is '{pattern}')"


def dns_label(value: str) -> Iterator[str]:
    """What keeps a text from being a DNS label (RFC 1123)."""
    if len(value.encode()) > 63:
        yield "must be no more than 63 bytes"
    if not _LABEL.fullmatch(value):
        dotted = _SUBDOMAIN.fullmatch(value)
        yield "must not contain dots" if dotted else _regex(_LABEL_TEXT, _LABEL_RE, "my-name", "123-abc")


def dns_subdomain(value: str) -> Iterator[str]:
    """What keeps a text from being a DNS subdomain (RFC 1123)."""
    if len(value.encode()) > 253:
        yield "must be no more than 253 bytes"
    if not _SUBDOMAIN.fullmatch(value):
        yield _regex(_SUBDOMAIN_TEXT, _SUBDOMAIN_RE, "example.com")


def label_key(value: str) -> Iterator[str]:
    """What keeps a text from being a label key."""
    prefix, slash, name = value.rpartition("/")
    if "/" in prefix:
        text = _regex(_KEY_TEXT, _KEY_RE, "MyName", "my.name", "123-abc")
        yield f"a valid label key {text} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
        return
    if slash and not prefix:
        yield "prefix part must be non-empty"
    elif slash:
        yield from (f"prefix part {text}" for text in dns_subdomain(prefix))
    if not name:
        yield "name part must be non-empty"
    elif len(name) > 63:
        yield "name part must be no more than 63 bytes"
    if not _KEY.fullmatch(name):
        yield f"name part {_regex(_KEY_TEXT, _KEY_RE, 'MyName', 'my.name', '123-abc')}"


def label_value(value: str) -> Iterator[str]:
    """What keeps a text from being a label value."""
    if len(value.encode()) > 63:
        yield "must be no more than 63 bytes"
    if not _VALUE.fullmatch(value):
        yield _regex(_VALUE_TEXT, f"({_KEY_RE})?", "MyValue", "my_value", "12345")


def condition_reason(value: str) -> Iterator[str]:
    """What keeps a text from being the reason of a condition."""
    if not _REASON.fullmatch(value):
        yield _regex(_REASON_TEXT, _REASON_RE, "my_name", "MY_NAME", "MyName", "ReasonA,ReasonB", "ReasonA:ReasonB")


def each(texts: Iterator[str], field: str, value: Any) -> Errors:
    """Every text as an Invalid error of one field."""
    return (invalid(field, value, text) for text in texts)


def driver_name(value: str, field: str) -> Errors:
    """A driver name: a DNS subdomain of at most 63 bytes, in any case."""
    if not value:
        yield required(field)
        return
    if len(value.encode()) > _DRIVER_BYTES:
        yield too_long(field, _DRIVER_BYTES)
    yield from each(dns_subdomain(value.lower()), field, value)


def pool_name(value: str, field: str) -> Errors:
    """A pool name: DNS subdomains separated by slashes, at most 253 bytes."""
    if not value:
        yield required(field)
        return
    if len(value.encode()) > 253:
        yield too_long(field, 253)
    for part in value.split("/"):
        yield from each(dns_subdomain(part), field, part)


def qualified_name(value: str, field: str) -> Errors:
    """`id` or `domain/id`; names with two or more slashes pass, as in the API server."""
    parts = value.split("/")
    if len(parts) == 1:
        yield from c_identifier(value, field)
    elif len(parts) == 2:
        domain, name = parts
        yield from driver_name(domain, field) if domain else [invalid(field, "", "the domain must not be empty")]
        yield from c_identifier(name, field) if name else [invalid(field, "", "the name must not be empty")]


def fully_qualified_name(value: str, field: str) -> Errors:
    """`domain/id`."""
    yield from qualified_name(value, field)
    if "/" not in value:
        yield invalid(field, value, "a fully qualified name must be a domain and a name separated by a slash")


def c_identifier(value: str, field: str) -> Errors:
    """A C identifier of at most 32 bytes."""
    if len(value.encode()) > _ID_BYTES:
        yield too_long(field, _ID_BYTES)
    if not _C.fullmatch(value):
        yield invalid(field, value, _regex(_C_TEXT, _C_RE, "my_name", "MY_NAME", "MyName"))


def is_semver(value: str) -> bool:
    """Whether a text is a version by semver.org 2.0.0."""
    return bool(_SEMVER.fullmatch(value))


def is_uuid(value: str) -> bool:
    """Whether a text is a lower-case UUID."""
    return bool(_UUID.fullmatch(value))
