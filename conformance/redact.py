"""Secrets never reach the disk: values under tell-tale keys, tokens and private keys are replaced."""

import re
from typing import Any

MASK = "[redacted]"

_SECRET_KEY = re.compile(
    r"(?i)(^|[_.-])(token|password|passwd|secret|api[_-]?key|access[_-]?key|private[_-]?key|credentials?|authorization)s?$"
    r"|client-key-data|(?<=[a-z])(Token|Password|Secret|ApiKey|PrivateKey|Credentials?)$"
)
_SECRET_TEXT = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?-----END [A-Z ]*PRIVATE KEY-----"
    r"|(?i:\bbearer\s+)[A-Za-z0-9._~+/=-]{8,}"
    r"|\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+",
    re.DOTALL,
)


def redact_text(text: str) -> str:
    """The text without private keys, bearer tokens and JSON web tokens."""
    return _SECRET_TEXT.sub(MASK, text)


def redact(value: Any) -> Any:
    """A copy of a JSON value without secrets: by key, by the look of the text, and the data of Secret objects."""
    if isinstance(value, dict):
        secret_object = value.get("kind") == "Secret"
        return {
            key: MASK if _is_secret(key, item, secret_object) else redact(item)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [redact(item) for item in value]
    return redact_text(value) if isinstance(value, str) else value


def _is_secret(key: object, item: object, secret_object: bool) -> bool:
    if secret_object and key in ("data", "stringData"):
        return True
    return isinstance(item, str) and bool(item) and isinstance(key, str) and bool(_SECRET_KEY.search(key))
