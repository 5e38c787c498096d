"""Secrets never reach the disk: values under tell-tale names are replaced, in objects, in command lines and in text.

A secret that was handed to a driver under such a name is replaced wherever else it turns up, too (`hide`).
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

MASK = "[redacted]"

_WORD = r"(?:token|secret|api[_-]?key|access[_-]?key|private[_-]?key|client-key-data|cred(?:ential)?s?|authorization)"
_PASSWORD = r"(?:password|passwd|passphrase)"
# A word by itself, after a separator, or as the last hump of a camel-cased name; a password anywhere at the end.
_NAME = re.compile(
    rf"(?i:(?:^|[_.-]){_WORD}s?$|{_PASSWORD}s?$)"
    r"|(?<=[a-z])(?:Token|Secret|ApiKey|AccessKey|PrivateKey|Credentials?|Authorization)s?$"
)
_FLAG = re.compile(rf"(?i)^--?[\w-]*(?:{_WORD}|{_PASSWORD})$")
_PLAIN = r"(?!(?:true|false|null|none|nil)\b)"

_TEXTS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL), MASK),
    (re.compile(r"(?i)\b(authorization\"?\s*[:=]\s*\"?)(?:(?:basic|bearer|digest|token)\s+)?[^\s\"',]+"), rf"\1{MASK}"),
    (re.compile(r"(?i)\b(bearer\s+)[\w.~+/=-]{8,}"), rf"\1{MASK}"),
    (re.compile(r"\beyJ[\w-]{8,}\.[\w-]+\.[\w-]+"), MASK),
    (re.compile(r"(://[^/\s:@]+:)[^/\s@]+@"), rf"\1{MASK}@"),
    (
        re.compile(
            rf"(?i)((?<![a-z0-9])[\w.-]*(?:{_WORD}|{_PASSWORD})\"?'?[ \t]*[:=][ \t]*[\"']?)"
            rf"{_PLAIN}(?![\[{{])[^\s\"',;&}}]+"
        ),
        rf"\1{MASK}",
    ),
    (re.compile(rf"(?i)(--?[\w-]*(?:{_WORD}|{_PASSWORD})[ \t]+[\"']?)(?![-\"']){_PLAIN}[^\s\"',;]+"), rf"\1{MASK}"),
)
# Most texts hold nothing of the kind, so one look decides.
_SUSPECT = re.compile(rf"(?i)PRIVATE KEY|bearer|eyJ|://[^/\s]+@|{_WORD}|{_PASSWORD}")

# Shorter ones could be words that stand anywhere, and mean nothing.
_SHORTEST = 8
_hidden: tuple[str, ...] = ()  # longest first; replaced as a whole, as other threads read it


def hide(argv: Sequence[str], env: Mapping[str, str]) -> None:
    """From now on replace the secrets of this command wherever they stand: values of tell-tale variables and flags."""
    global _hidden
    found = {value for name, value in env.items() if _NAME.search(name)}
    for part, following in zip(argv, [*argv[1:], ""], strict=True):
        flag, equals, value = part.partition("=")
        if _FLAG.match(flag):
            found.add(value if equals else following)
    secrets = {value for value in found if len(value) >= _SHORTEST}
    _hidden = tuple(sorted(secrets.union(_hidden), key=len, reverse=True))


def redact_text(text: str) -> str:
    """The text without private keys, tokens, values that follow a tell-tale name, and what `hide` was told."""
    for value in _hidden:
        text = text.replace(value, MASK)
    return _without_finds(text) if len(text) > _LONG else _known(text)


def _without_finds(text: str) -> str:
    if _SUSPECT.search(text):
        for pattern, replacement in _TEXTS:
            text = pattern.sub(replacement, text)
    return text


# Objects say the same again and again.
_LONG = 256  # characters
_known = lru_cache(8192)(_without_finds)


@lru_cache(8192)
def _is_telltale(name: str) -> bool:
    return bool(_NAME.search(name))


def redact(value: Any) -> Any:
    """A copy of a JSON value without secrets.

    Hidden are: values under tell-tale keys, values of environment variables with such names, what follows such a flag
    in a list of arguments, the data of Secret objects, and what `redact_text` finds in texts.
    """
    if isinstance(value, dict):
        return _redact_map(value)
    if isinstance(value, list | tuple):
        return list(_redact_items(value))
    return redact_text(value) if isinstance(value, str) else value


def _redact_map(value: dict[Any, Any]) -> dict[Any, Any]:
    hidden = {"data", "stringData"} if value.get("kind") == "Secret" else set()
    if isinstance(value.get("name"), str) and _is_telltale(value["name"]):
        hidden.add("value")
    return {key: MASK if key in hidden and item else _redact_entry(key, item) for key, item in value.items()}


def _redact_entry(key: object, item: Any) -> Any:
    if item and isinstance(key, str) and _is_telltale(key):
        if isinstance(item, str):
            return MASK
        if isinstance(item, list | tuple) and all(isinstance(entry, str) for entry in item):
            return [MASK for _ in item]
    return redact(item)


def _redact_items(items: Iterable[Any]) -> Iterable[Any]:
    after_flag = False
    for item in items:
        hide = after_flag and isinstance(item, str) and not item.startswith("-")
        yield MASK if hide else redact(item)
        after_flag = isinstance(item, str) and bool(_FLAG.match(item))
