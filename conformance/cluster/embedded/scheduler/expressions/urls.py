"""URLs as Go's net/url takes them for requests (apiserver/pkg/cel/library/urls.go)."""

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, unquote_plus

from conformance.cluster.embedded.scheduler.expressions.errors import EvaluationError
from conformance.cluster.embedded.scheduler.expressions.errors import quote as quoted
from conformance.cluster.embedded.scheduler.expressions.values import Url

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_BAD_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2}).{0,2}", re.DOTALL)
_BAD_HOST = re.compile(r"[\s\"<>\\^`{|}%/?#@]")
_PORT = re.compile(r"(?::\d*)?", re.ASCII)


class _Bad(Exception):
    pass


def check_url(text: str) -> str:
    """What is wrong with a URL of a request, "" for nothing."""
    try:
        _split(text, request=True)
    except _Bad as bad:
        return f"parse {quoted(text)}: {bad}"
    return ""


def _url(text: str) -> Url:
    wrong = check_url(text)
    if wrong:
        raise EvaluationError(f"URL parse error during conversion from string: {wrong}")
    return _split(text.partition("#")[0], request=False, shown=text)


def _split(text: str, *, request: bool, shown: str = "") -> Url:
    if any(ord(letter) < 32 or ord(letter) == 127 for letter in text):
        raise _Bad("net/url: invalid control character in URL")
    if not text and request:
        raise _Bad("empty url")
    if text.startswith(":"):
        raise _Bad("missing protocol scheme")
    scheme = _SCHEME.match(text)
    name, rest = (scheme[1].lower(), text[scheme.end() :]) if scheme else ("", text)
    rest, _, query = rest.partition("?")
    if not rest.startswith("/"):
        if name:
            return Url(name, "", "", query, shown)
        if request and text != "*":
            raise _Bad("invalid URI for request")
        if ":" in rest.partition("/")[0]:
            raise _Bad("first path segment in URL cannot contain colon")
    host = ""
    if rest.startswith("//") and (name or (not request and not rest.startswith("///"))):
        host, slash, path = rest[2:].partition("/")
        rest = slash + path
        host = _host(host.rpartition("@")[2])
    escape = _BAD_ESCAPE.search(rest)
    if escape:
        raise _Bad(f'invalid URL escape "{escape[0]}"')
    return Url(name, host, rest, query, shown)


def _host(host: str) -> str:
    bracket = host.find("]")
    if "[" in host[1:]:
        raise _Bad("invalid IP-literal")
    if host.startswith("["):
        if bracket < 0:
            raise _Bad("missing ']' in host")
        port = host[bracket + 1 :]
    else:
        bad = _BAD_HOST.search(host)
        if bad:
            escape = _BAD_ESCAPE.search(host)
            raise _Bad(f'invalid URL escape "{escape[0]}"' if escape else f'invalid character "{bad[0]}" in host name')
        colon = host.rfind(":")
        port = host[colon:] if colon >= 0 else ""
    if not _PORT.fullmatch(port):
        raise _Bad(f'invalid port "{port}" after host')
    return host


def _hostname(url: Url) -> str:
    if url.host.startswith("["):
        return url.host[1 : url.host.find("]")]
    return url.host.rpartition(":")[0] if ":" in url.host else url.host


def _port(url: Url) -> str:
    rest = url.host[url.host.find("]") + 1 :]
    return rest.rpartition(":")[2] if ":" in rest else ""


def _query(url: Url) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for pair in url.query.split("&"):
        key, _, value = pair.partition("=")
        if pair and ";" not in pair and not _BAD_ESCAPE.search(pair):
            found.setdefault(unquote_plus(key), []).append(unquote_plus(value))
    return found


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "string_to_url": _url,
    "is_url_string": lambda text: not check_url(text),
    "url_get_scheme": lambda url: url.scheme,
    "url_get_host": lambda url: url.host,
    "url_get_hostname": _hostname,
    "url_get_port": _port,
    "url_get_escaped_path": lambda url: quote(url.path, safe="%/:@!$&'()*+,;=~-._[]"),
    "url_get_query": _query,
}
