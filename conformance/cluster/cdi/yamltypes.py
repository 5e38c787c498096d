"""What plain YAML scalars mean to the decoder that the CDI library uses (go.yaml.in/yaml/v3, resolve.go)."""

import re
from typing import Any

import yaml

Scalar = str | int | float | bool | None
_TAGS = "tag:yaml.org,2002:"
_NAMED: dict[str, tuple[str, Scalar]] = {
    **dict.fromkeys(("true", "True", "TRUE"), ("!!bool", True)),
    **dict.fromkeys(("false", "False", "FALSE"), ("!!bool", False)),
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), ("!!null", None)),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), ("!!float", float("nan"))),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), ("!!float", float("inf"))),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), ("!!float", float("-inf"))),
    "<<": ("!!merge", "<<"),
}
_INTEGER = re.compile(r"[-+]?(0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|[0-9]+)")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_TIME = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt ][0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}.*)?")


class CannotResolve(Exception):
    """A scalar has an explicit tag that its text does not fit; the text is the decoder's."""


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Gives nodes whose tags are short ("!!str") where the file has none; the C parser also takes tabs in JSON."""

    def resolve(self, kind: Any, value: Any, implicit: Any) -> str:
        """The tag of a node without one."""
        if kind is not yaml.ScalarNode:
            return "!!seq" if kind is yaml.SequenceNode else "!!map"
        return _plain(value)[0] if implicit[0] else "!!str"


def tag_of(node: yaml.Node) -> str:
    """A node's tag in its short form."""
    tag = str(node.tag)
    return f"!!{tag.removeprefix(_TAGS)}" if tag.startswith(_TAGS) else tag


def resolved(node: yaml.ScalarNode) -> tuple[str, Scalar]:
    """A scalar's tag and value. Raises CannotResolve."""
    tag, text = tag_of(node), str(node.value)
    if tag in ("!!str", "!!binary") or tag not in ("!!bool", "!!int", "!!float", "!!null", "!!timestamp"):
        return tag, text
    found, value = _plain(text)
    if tag == "!!float" and found == "!!int" and isinstance(value, int) and -(2**63) <= value < 2**63:
        return tag, float(value)
    if found != tag:
        raise CannotResolve(f"cannot decode {found} `{text}` as a {tag}")
    return found, value


def _plain(text: str) -> tuple[str, Scalar]:
    if text in _NAMED:
        return _NAMED[text]
    if text[0] in "+-0123456789":
        return ("!!timestamp", text) if _TIME.fullmatch(text) else _number(text)
    if text[0] == "." and _FLOAT.fullmatch(text):
        return "!!float", float(text)
    return "!!str", text


def _number(text: str) -> tuple[str, Scalar]:
    plain = text.replace("_", "")
    if _INTEGER.fullmatch(plain):
        digits = plain.lstrip("+-")
        old_octal = len(digits) > 1 and digits.isdecimal() and digits[0] == "0"
        if not (old_octal and set(digits) & {"8", "9"}):
            value = int(plain, 8 if old_octal else 0)
            if -(2**63) <= value < 2**64:
                return "!!int", value
    if _FLOAT.fullmatch(plain):
        return "!!float", float(plain)
    return "!!str", text
