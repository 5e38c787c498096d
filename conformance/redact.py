"""Secrets never reach the disk: values under tell-tale names are replaced, in objects, in command lines and in text.

A secret that was handed to a driver under such a name is replaced wherever else it turns up, too (`hide`).
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

MASK = "[redacted]"

_WORD = (
    r"(?:token|secret|(?:api|access|private|secret|signing|encryption)[_-]?key|client[_-]?key[_-]?data"
    r"|cred(?:ential)?s?|authorization)"
)
_PASSWORD = r"(?:password|passwd|passphrase|passcode|(?<=[a-z0-9][_-])(?:pass|pwd))"
# A word by itself, after a separator, or as the last hump of a camel-cased name; a password anywhere at the end.
_NAME = re.compile(
    rf"(?i:(?:^|[_.-]){_WORD}s?$|{_PASSWORD}s?$)|^pass$"
    r"|(?<=[a-z])(?:Token|Secret|(?:Api|Access|Private|Secret|Signing|Encryption)Key|Credentials?|Authorization|Pass)s?$"
)
# What stands under such a name is secret as a whole; "secret" and "token" are also names of structures of Kubernetes.
_WHOLE = re.compile(rf"(?i:^credentials?$|{_PASSWORD}s?$)|(?<=[a-z])(?:Credentials?|Pass)$")
_FLAG = re.compile(rf"(?i)^--?[\w-]*(?:{_WORD}|{_PASSWORD})$")
_PLAIN = r"(?!(?:true|false|null|none|nil)\b)"
_NAMED = rf"(?<![a-z0-9])[\w.-]*(?:{_WORD}|{_PASSWORD})\\*[\"']?[ \t]*[:=][ \t]*"
# How a value begins, and what of it is secret. Quotes are escaped where JSON stands in a text; a word goes on after a
# comma unless the next thing there has a name of its own.
_VALUES = (
    (r"(\\+[\"'])", r"(?:(?!\2).)+"),
    (r"\"", r"(?:[^\"\\\n]|\\.)+"),
    (r"'", r"[^'\n]+"),
    (r"\[(?!redacted\])", r"[^\]{\n]+"),
    (rf"{_PLAIN}(?![\[{{])", r"[^\s\"',;&}\\]+(?:[,;](?![ \t]*[\w.-]+[\"']?[ \t]*[:=])[^\s\"',;&}\\]+)*"),
)
# What tokens of common services begin with, as their documents say.
_OF_SERVICES = (
    r"\bgh[pousr]_\w{36}|\bgithub_pat_\w{22,}|\bglpat-[\w-]{20,}|\bA[KS]IA[A-Z0-9]{16}\b|\bxox[abeprs]-[\w-]{10,}"
    r"|\bAIza[\w-]{35}|\bnpm_\w{36}|\bpypi-AgE\w{20,}|\bdckr_pat_[\w-]{20,}|\bhf_[A-Za-z]{34}"
)

_TEXTS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL), MASK),
    (
        re.compile(
            r"(?i)\b(authorization\\*\"?\s*[:=]\s*\\*\"?)"
            r"(?:(?:basic|bearer|digest|token|negotiate|ntlm)\s+)?[^\s\"',\\]+"
        ),
        rf"\1{MASK}",
    ),
    (re.compile(r"(?i)\b(bearer\s+)[\w.~+/=-]{8,}"), rf"\1{MASK}"),
    (re.compile(r"(?i)\b(cookie\\*[\"']?[ \t]*[:=][ \t]*\\*[\"']?)[^\r\n\"'\\]+"), rf"\1{MASK}"),
    (re.compile(r"\beyJ[\w-]{8,}\.[\w-]+\.[\w-]+"), MASK),
    (re.compile(_OF_SERVICES), MASK),
    (re.compile(r"(://[^/\s:@\"']*:)[^/\s@]+@"), rf"\1{MASK}@"),
    (re.compile(r"(://)[^/\s:@\"'\[\]]{16,}@"), rf"\1{MASK}@"),
    *((re.compile(rf"(?i)({_NAMED}{begins}){secret}"), rf"\1{MASK}") for begins, secret in _VALUES),
    (re.compile(rf"(?i)(--?[\w-]*(?:{_WORD}|{_PASSWORD})[ \t]+\")(?:[^\"\\\n]|\\.)+"), rf"\1{MASK}"),
    (re.compile(rf"(?i)(--?[\w-]*(?:{_WORD}|{_PASSWORD})[ \t]+')[^'\n]+"), rf"\1{MASK}"),
    (re.compile(rf"(?i)(--?[\w-]*(?:{_WORD}|{_PASSWORD})[ \t]+)(?![-\"'\[]){_PLAIN}[^\s\"',;]+"), rf"\1{MASK}"),
)
# Most texts hold nothing of the kind, so one look decides.
_SUSPECT = re.compile(rf"(?i)PRIVATE KEY|bearer|cookie|eyJ|://[^/\s]+@|{_WORD}|{_PASSWORD}|{_OF_SERVICES}")

# Shorter ones could be words that stand anywhere, and mean nothing.
_SHORTEST = 8
_hidden: tuple[str, ...] = ()  # longest first; replaced as a whole, as other threads read it


def hide(argv: Sequence[str], env: Mapping[str, str]) -> None:
    """From now on replace the secrets of this command wherever they stand: values of tell-tale variables and flags."""
    found = {value for name, value in env.items() if _NAME.search(name)}
    for part, following in zip(argv, [*argv[1:], ""], strict=True):
        flag, equals, value = part.partition("=")
        if _FLAG.match(flag):
            found.add(value if equals else following)
    hide_values(found)


def hide_values(values: Iterable[str]) -> None:
    """From now on replace these wherever they stand, but for those that are so short that they could be words."""
    global _hidden
    secrets = {value for value in values if len(value) >= _SHORTEST and value != MASK}
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
    in a list of arguments, the data of Secret objects, and what `redact_text` finds in texts. What such variables and
    a claim's parameters for its driver hold is hidden from then on wherever it stands (`hide_values`).
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
        hide_values(_texts(value.get("value")))
    if isinstance(value.get("opaque"), dict):
        hide_values(_secrets(value["opaque"]))
    if value.get("kind") == "SecretList" and isinstance(value.get("items"), list):  # whose items do not say their kind
        value = {**value, "items": [_without_data(item) for item in value["items"]]}
    return {key: MASK if key in hidden and item else _redact_entry(key, item) for key, item in value.items()}


def _redact_entry(key: object, item: Any) -> Any:
    if item and isinstance(key, str) and _is_telltale(key):
        if isinstance(item, str):
            return MASK
        if _WHOLE.search(key):
            return _masked(item)
        if isinstance(item, list | tuple):
            return [MASK if isinstance(entry, str) else redact(entry) for entry in item]
        if isinstance(item, dict) and isinstance(item.get("value"), str):
            return {**redact(item), "value": MASK}
    return redact(item)


def _masked(item: Any) -> Any:
    """The same shape with nothing in it but masks; whether something is there or not may be told."""
    if isinstance(item, dict):
        return {key: _masked(entry) for key, entry in item.items()}
    if isinstance(item, list | tuple):
        return [_masked(entry) for entry in item]
    return item if item is None or isinstance(item, bool) else MASK


def _without_data(item: Any) -> Any:
    return {key: MASK if key in ("data", "stringData") and part else part for key, part in item.items()}


def _secrets(value: Any) -> Iterable[str]:
    """The texts under tell-tale keys of a JSON value."""
    items: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list | tuple):
        items = (("", item) for item in value)
    for key, item in items:
        yield from _texts(item) if isinstance(key, str) and _is_telltale(key) else _secrets(item)


def _texts(value: Any) -> Iterable[str]:
    """The texts in a JSON value, wherever they stand in it."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)


def _redact_items(items: Iterable[Any]) -> Iterable[Any]:
    after_flag = False
    for item in items:
        hide = after_flag and isinstance(item, str) and not item.startswith("-")
        yield MASK if hide else redact(item)
        after_flag = isinstance(item, str) and bool(_FLAG.match(item))
