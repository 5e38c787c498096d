"""JSON schemas as tables: a section for each kind of object, a row for each of its keys."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from markup import paragraphs, prose, table

from conformance.report.model import report_schema
from conformance.target.schema import schema_text

_DRIVER = (
    "Every key of a driver file, from its JSON schema, which `dra-conformance schema driver` prints. What they are for"
    " and how they work together is told in [The driver file](../driver-file.md)."
)
_REPORT = (
    "Every field of `report.json`, from its JSON schema, which `dra-conformance schema report` prints."
    " [Reports](../reports.md) says what to do with it."
)


def pages() -> Iterator[tuple[str, str]]:
    """(path, text) of the pages."""
    yield "reference/driver-file-keys.md", _page("Keys of the driver file", _DRIVER, json.loads(schema_text()))
    yield "reference/report-fields.md", _page("Fields of report.json", _REPORT, report_schema())


def _page(title: str, head: str, schema: Mapping[str, Any]) -> str:
    texts = [f"# {title}", head, _object("The file", schema)]
    texts += [_object(name, part) for name, part in schema["$defs"].items()]
    return "\n\n".join(texts) + "\n"


def _object(name: str, part: Mapping[str, Any]) -> str:
    lines = [f"## {name} {{ #{name.lower().replace(' ', '-')} }}", paragraphs(part.get("description", ""))]
    if "properties" in part:
        needed = part.get("required", ())
        rows = [
            (f"`{key}`", _kind(row), "required" if key in needed else _default(row), prose(row.get("description", "")))
            for key, row in part["properties"].items()
        ]
        lines.append(table(("key", "is", "default", "meaning"), rows))
    elif "enum" in part:
        lines.append("One of " + ", ".join(f"`{value}`" for value in part["enum"]) + ".")
    return "\n\n".join(line for line in lines if line)


def _kind(row: Mapping[str, Any]) -> str:
    """The type of a value in words, with links to sections."""
    if "$ref" in row:
        name = row["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "enum" in row:
        return " or ".join(f"`{value}`" for value in row["enum"])
    if "anyOf" in row or "oneOf" in row:
        kinds = [_kind(part) for part in row.get("anyOf", row.get("oneOf")) if part.get("type") != "null"]
        return " or ".join(dict.fromkeys(kinds))
    if row.get("type") == "array":
        return f"list of {_kind(row['items'])}" if row.get("items") else "list"
    if row.get("type") == "object":
        inner = row.get("additionalProperties")
        return f"object of {_kind(inner)}" if isinstance(inner, dict) and inner else "object"
    return str(row.get("type", "anything"))


def _default(row: Mapping[str, Any]) -> str:
    value = row.get("default")
    return "" if value in (None, "", [], {}) else f"`{json.dumps(value)}`"
