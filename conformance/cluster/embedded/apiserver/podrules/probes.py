"""Probes and lifecycle hooks of containers."""

import re
from typing import Any

from conformance.cluster.embedded.apiserver import formats
from conformance.cluster.embedded.apiserver.field_errors import forbidden, invalid, not_supported, required
from conformance.cluster.embedded.apiserver.podrules.words import Errors, Row, not_negative, port, port_name

_PROBES = ("livenessProbe", "readinessProbe", "startupProbe")
_HANDLERS = ("exec", "httpGet", "tcpSocket", "grpc", "sleep")
_SECONDS = ("initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold")
_HEADER = re.compile(r"[-A-Za-z0-9]+")
_ONLY_RESTARTED = "may not be set for init containers without restartPolicy=Always"


def probes(container: Row, field: str, grace: int, *, runs: bool) -> Errors:
    """`runs`: the container stays, so that it may be probed. `grace`: seconds to terminate in."""
    if not runs:
        for key in ("lifecycle", *_PROBES):
            if key in container:
                yield forbidden(f"{field}.{key}", _ONLY_RESTARTED)
        return
    for key in ("postStart", "preStop"):
        if key in (container.get("lifecycle") or {}):
            yield from _handler(container["lifecycle"][key], f"{field}.lifecycle.{key}", grace)
    for key in _PROBES:
        if key in container:
            yield from _probe(container[key], f"{field}.{key}", grace, ready=key == "readinessProbe")


def _probe(row: Row, field: str, grace: int, *, ready: bool) -> Errors:
    yield from _handler({key: value for key, value in row.items() if key != "sleep"}, field, grace)
    for key in _SECONDS:
        yield from not_negative(row, key, field)
    seconds = row.get("terminationGracePeriodSeconds", 1)
    if seconds <= 0:
        yield invalid(f"{field}.terminationGracePeriodSeconds", seconds, "must be greater than 0")
    if not ready and row["successThreshold"] != 1:
        yield invalid(f"{field}.successThreshold", row["successThreshold"], "must be 1")
    if ready and "terminationGracePeriodSeconds" in row:
        yield invalid(f"{field}.terminationGracePeriodSeconds", seconds, "must not be set for readinessProbes")


def _handler(row: Row, field: str, grace: int) -> Errors:
    kinds = [kind for kind in _HANDLERS if kind in row]
    if not kinds:
        yield required(field, "must specify a handler type")
    for kind in kinds[1:]:
        yield forbidden(f"{field}.{kind}", "may not specify more than 1 handler type")
    for kind in kinds[:1]:
        action, place = row[kind], f"{field}.{kind}"
        if kind == "exec" and not action.get("command"):
            yield required(f"{place}.command")
        elif kind == "httpGet":
            yield from _http(action, place)
        elif kind in ("tcpSocket", "grpc"):
            yield from _port(action.get("port", 0), f"{place}.port")
        elif kind == "sleep" and not 0 <= action.get("seconds", 0) <= grace:
            why = f"must be non-negative and less than terminationGracePeriodSeconds ({grace})"
            yield invalid(place, action.get("seconds", 0), why)


def _http(row: Row, field: str) -> Errors:
    yield from _port(row.get("port", 0), f"{field}.port")
    if row["scheme"] not in ("HTTP", "HTTPS"):
        yield not_supported(f"{field}.scheme", row["scheme"], ("HTTP", "HTTPS"))
    for header in row.get("httpHeaders", []):
        name = header.get("name", "")
        if not _HEADER.fullmatch(name):
            text = "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', "
            yield invalid(f"{field}.httpHeaders", name, f"{text}regex used for validation is '{_HEADER.pattern}')")


def _port(value: Any, field: str) -> Errors:
    yield from formats.each(port_name(value) if isinstance(value, str) else port(value), field, value)
