"""Objects in the bodies of requests and answers, read, changed and written again as JSON."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Any

from conformance.cluster.apirules import Change, Object
from conformance.cluster.embedded.apiserver.protobuf import PROTOBUF, decode_protobuf


def encode(value: Any) -> bytes:
    """As JSON."""
    return json.dumps(value, separators=(",", ":")).encode()


def change_request(body: bytes, headers: Mapping[str, str], changes: Sequence[Change]) -> tuple[bytes, dict[str, str]]:
    """The body with its object changed, and the headers that go with it. Protobuf, as of Go clients, becomes JSON.

    What is no object, such as a JSON patch, stays as it is.
    """
    kind = next((value for name, value in headers.items() if name.lower() == "content-type"), "")
    if kind.startswith(PROTOBUF):
        kind, obj = "application/json", decode_protobuf(body)
    else:
        obj = json.loads(body)
    kept = {name: value for name, value in headers.items() if name.lower() != "content-type"}
    return encode(_changed(obj, changes)), {**kept, "Content-Type": kind}


def change_answer(body: bytes, changes: Sequence[Change]) -> bytes:
    """An answer with its object, or each object of its list, changed; a Status stays as it is."""
    if not changes or not body:
        return body
    obj = json.loads(body)
    if isinstance(obj.get("items"), list):
        kind = {"apiVersion": obj.get("apiVersion"), "kind": str(obj.get("kind")).removesuffix("List")}
        obj["items"] = [_changed({**kind, **item}, changes) for item in obj["items"]]
    elif obj.get("kind") != "Status":
        obj = _changed(obj, changes)
    return encode(obj)


def change_lines(chunks: Iterable[bytes], changes: Sequence[Change]) -> Iterator[bytes]:
    """The events of a watch, each with its object changed; bookmarks and errors stay as they are."""
    rest = b""
    for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in filter(None, lines):
            event = json.loads(line)
            if event["type"] not in ("BOOKMARK", "ERROR"):
                event["object"] = _changed(event["object"], changes)
            yield encode(event) + b"\n"
    if rest:
        yield rest


def _changed(obj: Any, changes: Sequence[Change]) -> Any:
    start: Object = obj
    return reduce(lambda value, change: change(value), changes, start) if isinstance(obj, dict) else obj
