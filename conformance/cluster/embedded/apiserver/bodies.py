"""Bodies of requests and answers: JSON, and YAML or protobuf where Kubernetes takes it."""

import json
import re
from typing import Any

import yaml
from starlette.requests import Request
from starlette.responses import Response

from conformance.cluster.api_errors import ApiError
from conformance.cluster.embedded.apiserver.decoding import Repeated, pairs
from conformance.cluster.embedded.apiserver.negotiation import JSON, YAML
from conformance.cluster.embedded.apiserver.protobuf import PROTOBUF, decode_protobuf
from conformance.cluster.embedded.apiserver.status import bad_request, failure, generic, unsupported_media
from conformance.cluster.embedded.apiserver.yaml_bodies import read_yaml

_PATCHES = {
    "application/merge-patch+json": "merge",
    "application/strategic-merge-patch+json": "strategic",
    "application/json-patch+json": "json",
    "application/apply-patch+yaml": "apply",
}
_SUPPORTED = f"{JSON}, {YAML}, {PROTOBUF}"
_HEX = "[0-9a-fA-F]{2}"
_PAIR, _HALF = rf"u[dD][89abAB]{_HEX}\\u[dD][c-fC-F]{_HEX}", f"u[dD][89a-fA-F]{_HEX}"
_ESCAPES = re.compile(rf"[\udc80-\udcff]|\\(?:({_PAIR})|{_HALF}|(.))", re.DOTALL)
MAX_BYTES = 3 * 1024 * 1024
"""Of a body (k8s.io/apiserver, MaxRequestBodyBytes)."""


def patch_kind(request: Request) -> str:
    """Which kind of patch the body is. Raises ApiError 415."""
    kind = _content_type(request)
    if kind not in _PATCHES:
        raise generic(415, "UnsupportedMediaType", "415: Unsupported Media Type")
    return _PATCHES[kind]


async def read_body(request: Request) -> Any:
    """The body as a JSON value, None when it is empty. Raises BadRequest; ApiError 413, or 415 for other encodings."""
    kind = _content_type(request)
    if kind not in (JSON, YAML, PROTOBUF) and kind not in _PATCHES:
        raise unsupported_media(_SUPPORTED)
    data = await _data(request)
    if not data:
        return None
    if kind == PROTOBUF:
        return decode_protobuf(data)
    found = _value(data, kind)
    return {} if found is None and kind not in _PATCHES else found


def _value(data: bytes, kind: str) -> Any:
    text, is_yaml = _text(data), kind.endswith("yaml")
    try:
        # Escapes of YAML differ from those of JSON.
        return read_yaml(data) if is_yaml and "\\u" in text else json.loads(text, object_pairs_hook=pairs)
    except ValueError as error:
        if is_yaml:
            return read_yaml(data)
        raise bad_request("invalid JSON patch" if kind in _PATCHES else _unparsable(text, error)) from None


def _text(data: bytes) -> str:
    """JSON as Go reads it: bytes that are not UTF-8 and escaped halves of surrogate pairs each become U+FFFD."""

    def replaced(match: re.Match[str]) -> str:
        if match[1] or match[2]:
            return match[0]
        return "\\ufffd" if match[0].startswith("\\") else "\ufffd"

    text = data.decode(errors="surrogateescape")
    return text if text.isascii() and "\\u" not in text else _ESCAPES.sub(replaced, text)


def _content_type(request: Request) -> str:
    """The media type of the body, without parameters; JSON when none is given."""
    return request.headers.get("content-type", JSON).partition(";")[0].strip().lower() or JSON


async def _data(request: Request) -> bytes:
    data = bytearray()
    async for chunk in request.stream():
        data += chunk
        if len(data) > MAX_BYTES:
            text = f"Request entity too large: limit is {MAX_BYTES}"
            raise failure(413, "RequestEntityTooLarge", text)
    return bytes(data)


def _unparsable(text: str, error: ValueError) -> str:
    what = "unexpected end of JSON input" if getattr(error, "pos", 0) >= len(text) else str(error)
    return f"couldn't get version/kind; json parse error: {what} ({text[:1024]})"


async def read_object(request: Request, kind: str) -> dict[str, Any]:
    """A body that has to be an object of the API, of a kind. Raises BadRequest."""
    unknown = f"the object provided is unrecognized (must be of type {kind}): "
    try:
        body = await read_body(request)
    except ApiError as error:
        raise bad_request(unknown + error.message) if error.message.startswith("couldn't get") else error from None
    if body is None:
        text = "couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)"
        raise bad_request(unknown + text)
    if not isinstance(body, dict):
        raise bad_request(f"{unknown}couldn't get version/kind; json parse error: not an object")
    return body if isinstance(body, Repeated) else dict(body)


def encode(value: Any) -> bytes:
    """Compact JSON."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def answer(value: Any, code: int = 200, *, media_type: str = JSON) -> Response:
    """An answer with a body in JSON or YAML."""
    if media_type == YAML:
        content = yaml.dump(value, Dumper=yaml.CSafeDumper, allow_unicode=True).encode()
    else:
        content = encode(value) + b"\n"
    return Response(content, code, media_type=media_type)


def warning(text: str) -> str:
    """The value of a Warning header."""
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'299 - "{quoted}"'


def failed(error: ApiError, accept: str = "") -> Response:
    """The answer to a request that was refused, as YAML where that is what a client wants most."""
    media_type = YAML if accept.partition(",")[0].partition(";")[0].strip() == YAML else JSON
    response = answer(error.body, error.status, media_type=media_type)
    if error.status == 429:
        response.headers["Retry-After"] = "1"
    return response
