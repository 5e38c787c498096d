"""Bodies of requests and answers: JSON, and YAML or protobuf where Kubernetes takes it."""

import json
from typing import Any

import yaml
from starlette.requests import Request
from starlette.responses import Response

from conformance.cluster.api_errors import ApiError
from conformance.cluster.embedded.apiserver.protobuf import PROTOBUF, decode_protobuf
from conformance.cluster.embedded.apiserver.status import bad_request, unsupported_media

JSON = "application/json"
_YAML = ("application/yaml", "application/apply-patch+yaml")
_PATCHES = {
    "application/merge-patch+json": "merge",
    "application/strategic-merge-patch+json": "strategic",
    "application/json-patch+json": "json",
    "application/apply-patch+yaml": "apply",
}


def content_type(request: Request) -> str:
    """The media type of the body, without parameters; JSON when none is given."""
    return request.headers.get("content-type", JSON).partition(";")[0].strip().lower() or JSON


def patch_kind(request: Request) -> str:
    """Which kind of patch the body is. Raises ApiError 415."""
    kind = content_type(request)
    if kind not in _PATCHES:
        raise unsupported_media(kind, ", ".join(_PATCHES))
    return _PATCHES[kind]


async def read_body(request: Request) -> Any:
    """The body as a JSON value, None when it is empty. Raises BadRequest; ApiError 415 for other encodings."""
    kind = content_type(request)
    data = await request.body()
    if not data:
        return None
    if kind == PROTOBUF:
        return decode_protobuf(data)
    if kind != JSON and kind not in _YAML and kind not in _PATCHES:
        raise unsupported_media(kind, "application/json, application/yaml")
    try:
        return json.loads(data)
    except ValueError as error:
        if kind in _YAML:
            return _yaml(data)
        raise bad_request(f"error decoding request body: {error}") from None


def _yaml(data: bytes) -> Any:
    try:
        return yaml.safe_load(data)
    except yaml.YAMLError as error:
        raise bad_request(f"error converting YAML to JSON: {error}") from None


async def read_object(request: Request) -> dict[str, Any]:
    """A body that has to be an object of the API. Raises BadRequest."""
    body = await read_body(request)
    if not isinstance(body, dict):
        raise bad_request("the body of the request must be an object")
    if not isinstance(body.get("metadata", {}), dict):
        raise bad_request("metadata must be an object")
    return body


def encode(value: Any) -> bytes:
    """Compact JSON."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def answer(value: Any, code: int = 200) -> Response:
    """An answer with a JSON body."""
    return Response(encode(value) + b"\n", code, media_type=JSON)


def failed(error: ApiError) -> Response:
    """The answer to a request that was refused."""
    response = answer(error.body, error.status)
    if error.status == 429:
        response.headers["Retry-After"] = "1"
    return response
