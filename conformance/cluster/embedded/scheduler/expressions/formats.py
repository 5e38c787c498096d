"""Named formats of strings (apiserver/pkg/cel/library/format.go)."""

import re
from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

from conformance.cluster.embedded.apiserver import formats
from conformance.cluster.embedded.scheduler.expressions import times
from conformance.cluster.embedded.scheduler.expressions.errors import EvaluationError
from conformance.cluster.embedded.scheduler.expressions.urls import check_url
from conformance.cluster.embedded.scheduler.expressions.values import NONE, Format, Optional

_DNS_1035 = "[a-z]([-a-z0-9]*[a-z0-9])?"
_UUID = re.compile(r"[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}", re.IGNORECASE)
_BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)

Check = Callable[[str], Iterator[str]]


def _dns_1035(text: str) -> Iterator[str]:
    if len(text.encode()) > 63:
        yield "must be no more than 63 bytes"
    if not re.fullmatch(_DNS_1035, text):
        yield (
            "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic "
            "character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', "
            f"regex used for validation is '{_DNS_1035}')"
        )


def _prefix(check: Check) -> Check:
    """The check of a name that is to be continued: a dash may be its end."""
    return lambda text: check(f"{text[:-2]}a" if len(text) > 1 and text.endswith("-") else text)


def _is_date(text: str) -> bool:
    try:
        return bool(_DATE.fullmatch(text)) and bool(date.fromisoformat(text))
    except ValueError:
        return False


def _is_time(text: str) -> bool:
    try:
        times.timestamp(text)
    except EvaluationError:
        return False
    return True


def _otherwise(test: Callable[[str], bool], wrong: str) -> Check:
    return lambda text: iter(() if test(text) else (wrong,))


_CHECKS: dict[str, Check] = {
    "dns1123Label": formats.dns_label,
    "dns1123Subdomain": formats.dns_subdomain,
    "dns1035Label": _dns_1035,
    "qualifiedName": formats.label_key,
    "dns1123LabelPrefix": _prefix(formats.dns_label),
    "dns1123SubdomainPrefix": _prefix(formats.dns_subdomain),
    "dns1035LabelPrefix": _prefix(_dns_1035),
    "labelValue": formats.label_value,
    "uri": lambda text: iter(filter(None, [check_url(text)])),
    "uuid": _otherwise(lambda text: bool(_UUID.fullmatch(text)), "does not match the UUID format"),
    "byte": _otherwise(lambda text: bool(_BASE64.fullmatch(text)), "invalid base64"),
    "date": _otherwise(_is_date, "invalid date"),
    "datetime": _otherwise(_is_time, "invalid datetime"),
}


def _named(name: str) -> Optional:
    return Optional(True, Format(name)) if name in _CHECKS else NONE


def _validate(wanted: Format, text: str) -> Optional:
    wrong = list(_CHECKS[wanted.name](text))
    return Optional(True, wrong) if wrong else NONE


def _constant(name: str) -> Callable[[], Format]:
    return lambda: Format(name)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{f"format.{name}": _constant(name) for name in _CHECKS},
    "format-named": _named,
    "format-validate": _validate,
}
