"""Bodies as they are on the wire: encodings, YAML, what is there twice or too large, and what is no object."""

import json

from conformance.cluster.api import Object
from tests.fidelity.model import PATCH_TYPES, Case, Draw, Request
from tests.fidelity.registry import family

_PATH = "/api/v1/namespaces/default/configmaps"
_YAML = "application/yaml"
_HEAD = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {}\n"
_TEXTS: dict[str, str] = {
    "plain": "data:\n  a: b\n",
    "merge keys": "data: &all\n  a: b\nbinaryData:\n  <<: *all\n",
    "a merge key among others": "x: &x {{a: b, c: d}}\ndata:\n  c: e\n  <<: *x\n",
    "a merge key of a list": "x: &x {{a: b}}\ny: &y {{a: c, d: e}}\ndata:\n  <<: [*x, *y]\n",
    "a merge key of a text": "data:\n  <<: a\n",
    "an anchor": "data:\n  a: &a b\n  c: *a\n",
    "a missing anchor": "data:\n  a: *b\n",
    "binary": "binaryData:\n  a: !!binary aGVsbG8=\n",
    "binary text": "data:\n  a: !!binary aGVsbG8=\n",
    "bad binary": "data:\n  a: !!binary ***\n",
    "a tagged text": "data:\n  a: !!str 1\n",
    "a tagged number": "data:\n  a: !!int 1\n",
    "an unknown tag": "data:\n  a: !own b\n",
    "a set": "data: !!set {{a, b}}\n",
    "an ordered map": "data: !!omap [a: b]\n",
    "a time": "data:\n  a: 2024-01-02\n",
    "a tagged time": "data:\n  a: !!timestamp 2024-01-02\n",
    "numbers": "data:\n  a: 1\n",
    "octal": "immutable: false\ndata:\n  a: 010\n",
    "yes": "immutable: yes\n",
    "on": "immutable: on\n",
    "y": "data:\n  y: n\n",
    "null": "data:\n  a: ~\n",
    "an empty value": "data:\n  a:\n",
    "a number for a key": "data:\n  1: a\n",
    "a float for a key": "data:\n  1.5: a\n",
    "true for a key": "data:\n  true: a\n",
    "null for a key": "data:\n  ~: a\n",
    "a list for a key": "data:\n  ? [a]\n  : b\n",
    "a key twice": "data:\n  a: b\n  a: c\n",
    "two documents": "data:\n  a: b\n---\ndata:\n  c: d\n",
    "a second document that is empty": "data:\n  a: b\n---\n",
    "an end": "data:\n  a: b\n...\n",
    "a comment": "# one\ndata:\n  a: b # two\n",
    "blocks": "data:\n  a: |\n    b\n     c\n  d: >-\n    e\n    f\n",
    "tabs": "data:\n\ta: b\n",
    "a bad indent": "data:\n  a: b\n c: d\n",
    "flow": "data: {{a: b, c: 'd'}}\n",
    "an unclosed flow": "data: {{a: b\n",
    "a directive": "data:\n  a: '%'\n",
    "escapes": 'data:\n  a: "\\x41\\u00e4\\U0001f600"\n',
    "windows ends": "data:\r\n  a: b\r\n",
    "not a number": "data:\n  a: .nan\n",
    "infinity": "data:\n  a: .inf\n",
}
_STARTS: dict[str, str] = {
    "": "",
    "a document start": "---\n",
    "an empty first document": "---\n---\n",
    "a version": "%YAML 1.1\n---\n",
    "a comment first": "# a\n\n",
    "a BOM": "\ufeff",
}
_JSONS: dict[str, str] = {
    "plain": '{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{}"}}}}',
    "spaces": ' \n{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{}"}}}}\n ',
    "a BOM": '\ufeff{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{}"}}}}',
    "something after it": '{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{}"}}}} x',
    "two": '{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{}"}}}}{{}}',
    "a trailing comma": '{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{}"}},}}',
    "a comment": '{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{}"}}/**/}}',
    "single quotes": "{{'apiVersion':'v1','kind':'ConfigMap','metadata':{{'name':'{}'}}}}",
    "other cases of letters": '{{"apiversion":"v1","KIND":"ConfigMap","metadata":{{"Name":"{}"}}}}',
    "NaN": '{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{}","generation":NaN}}}}',
    "a huge number": '{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{}","generation":1e400}}}}',
    "a control character": '{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{}"}},"data":{{"a":"\x01"}}}}',
    "a NUL": '{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{}"}},"data":{{"a":"\\u0000"}}}}',
    "half a pair": '{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{}"}},"data":{{"a":"\\ud800"}}}}',
    "a list": '[{{"name":"{}"}}]',
    "a text": '"{}"',
    "null": "null",
    "nothing": "",
    "spaces only": "  ",
    "cut off": '{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{}"',
    "no kind": '{{"apiVersion":"v1","metadata":{{"name":"{}"}}}}',
    "a number for kind": '{{"apiVersion":"v1","kind":1,"metadata":{{"name":"{}"}}}}',
    "a list of kind": '{{"apiVersion":"v1","kind":"List","items":[],"metadata":{{"name":"{}"}}}}',
}
_ENCODINGS = ("utf-8", "utf-8", "utf-8", "utf-8", "utf-16", "utf-16-le", "utf-16-be", "latin-1")
_TYPES = ("application/json", _YAML, "application/yaml; charset=utf-8", "text/plain", "application/x-yaml", "")
_MIB = 1024 * 1024


@family("bodies", weight=3)
def bodies(draw: Draw) -> Case:
    """A ConfigMap made of a body that is odd in some way, in JSON or YAML."""
    if draw.chance(0.35):
        said, text = draw.random.choice(list(_JSONS.items()))
        kind = "application/json" if draw.chance(0.7) else draw.random.choice(_TYPES)
    else:
        (start, first), (rest, last) = (draw.random.choice(list(rows.items())) for rows in (_STARTS, _TEXTS))
        said, text, kind = f"{start} {rest}", first + _HEAD + last, _YAML
    encoding = draw.random.choice(_ENCODINGS) if draw.chance(0.3) and "\ufeff" not in text else "utf-8"
    body = text.format(draw.name).encode(encoding, errors="replace")
    query = {"fieldValidation": "Strict"} if draw.chance(0.2) else {}
    made = Request("POST", _PATH, body, kind, query)
    return Case(f"{kind} {encoding} {said} {query}", [made, Request("GET", f"{_PATH}/{draw.name}")])


@family("sizes", weight=1)
def sizes(draw: Draw) -> Case:
    """ConfigMaps and Secrets around the mebibyte that they may hold, and their keys."""
    plural, kind = draw.random.choice((("configmaps", "ConfigMap"), ("secrets", "Secret")))
    size = draw.random.choice((_MIB - 1, _MIB, _MIB + 1, 2 * _MIB, 3))
    field = "stringData" if kind == "Secret" else "data"
    data = {draw.random.choice(("a", "a.b_c-D", "a/b", "", ".", "..", "..a", "k" * 253, "k" * 254, "ä")): "x" * size}
    if draw.chance(0.3):
        data["more"] = "y"
    obj: Object = {"apiVersion": "v1", "kind": kind, "metadata": {"name": draw.name}, field: data}
    if kind == "ConfigMap" and draw.chance(0.2):
        obj["binaryData"] = {draw.random.choice(("a", "b")): "eHg="}
    if draw.chance(0.2):
        obj["immutable"] = draw.chance(0.5)
    path = f"/api/v1/namespaces/default/{plural}"
    body = json.dumps({"data": {"c": draw.random.choice(("ZA==", "e"))}}).encode()
    steps = [
        Request("POST", path, obj),
        Request("PATCH", f"{path}/{draw.name}", body, PATCH_TYPES["merge"]),
        Request("PATCH", f"{path}/{draw.name}", b'{"immutable":false}', PATCH_TYPES["merge"]),
        Request("GET", f"{path}/{draw.name}"),
    ]
    shown = {key[:8]: len(value) for key, value in data.items()}
    return Case(f"{kind} {shown} {obj.get('binaryData')} immutable={obj.get('immutable')}", steps)


@family("documents", weight=1)
def documents(draw: Draw) -> Case:
    """What is asked beside objects, and ways to ask for nothing at all."""
    path = draw.random.choice(
        ("/nothing", "/api/v2", "/apis/none", "/apis/none/v1", "/api/v1/nothing", "/healthz", "/version/x")
    )
    method = draw.random.choice(("GET", "GET", "GET", "POST", "DELETE"))
    accept = draw.random.choice(("application/json", "*/*", "text/html", "application/yaml", "application/xml"))
    return Case(accept, [Request(method, path, headers={"Accept": accept})])
