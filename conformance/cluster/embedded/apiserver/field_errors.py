"""Validation errors with the wording of k8s.io/apimachinery/pkg/util/validation/field."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

_WORDS = {
    "FieldValueNotFound": "Not found",
    "FieldValueRequired": "Required value",
    "FieldValueDuplicate": "Duplicate value",
    "FieldValueInvalid": "Invalid value",
    "FieldValueNotSupported": "Unsupported value",
    "FieldValueForbidden": "Forbidden",
    "FieldValueTooLong": "Too long",
    "FieldValueTooMany": "Too many",
    "InternalError": "Internal error",
}
_WITHOUT_VALUE = ("FieldValueRequired", "FieldValueForbidden", "FieldValueTooLong", "InternalError")


@dataclass(frozen=True)
class FieldError:
    """One broken rule: its type (metav1.CauseType), the field's path, the bad value and what is wrong with it.

    declared: the rule is declared with the types of each version, so that its path is that of the version in use.
    """

    type: str
    field: str
    value: Any = None
    detail: str = ""
    declared: bool = False

    @property
    def body(self) -> str:
        """The text without the path."""
        text = _WORDS[self.type]
        if self.type not in _WITHOUT_VALUE:
            text += f": {json.dumps(self.value, ensure_ascii=False, separators=(',', ':'))}"
        return f"{text}: {self.detail}" if self.detail else text

    def __str__(self) -> str:
        return f"{self.field}: {self.body}"

    def moved(self, path: Callable[[str], str]) -> "FieldError":
        """The error with the field's path in the version in use, where that counts."""
        return replace(self, field=path(self.field)) if self.declared else self

    def cause(self) -> dict[str, str]:
        """As a cause of a Status object."""
        return {"reason": self.type, "message": self.body, "field": self.field}


def aggregate(errors: Sequence[FieldError]) -> str:
    """All of them as one text, each only once."""
    texts = list(dict.fromkeys(str(error) for error in errors))
    return texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"


def declared(errors: Iterable[FieldError]) -> Iterator[FieldError]:
    """The errors of rules that are declared with the types."""
    return (replace(error, declared=True) for error in errors)


def required(field: str, detail: str = "") -> FieldError:
    """The field has to be set."""
    return FieldError("FieldValueRequired", field, "", detail)


def invalid(field: str, value: Any, detail: str) -> FieldError:
    """The value is not allowed."""
    return FieldError("FieldValueInvalid", field, value, detail)


def forbidden(field: str, detail: str) -> FieldError:
    """The field may not be set that way now."""
    return FieldError("FieldValueForbidden", field, "", detail)


def duplicate(field: str, value: Any) -> FieldError:
    """The value is there twice in a set."""
    return FieldError("FieldValueDuplicate", field, value)


def too_long(field: str, limit: int) -> FieldError:
    """Longer than `limit` bytes."""
    return FieldError("FieldValueTooLong", field, "", f"may not be more than {limit} bytes")


def too_many(field: str, count: int, limit: int) -> FieldError:
    """More than `limit` items."""
    return FieldError("FieldValueTooMany", field, count, f"must have at most {limit} item{'s' * (limit != 1)}")


def not_supported(field: str, value: Any, supported: Sequence[str]) -> FieldError:
    """Not one of the values of an enumeration."""
    names = ", ".join(json.dumps(name) for name in supported)
    return FieldError("FieldValueNotSupported", field, value, f"supported values: {names}")
