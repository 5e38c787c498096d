"""Functions of semantic versions (apiserver/pkg/cel/library/semverlib.go)."""

from collections.abc import Callable
from typing import Any

from conformance.cluster.embedded.scheduler import semver
from conformance.cluster.embedded.scheduler.expressions.errors import EvaluationError
from conformance.cluster.embedded.scheduler.semver import Semver


def _read(text: str, normalize: bool = False) -> Semver:
    try:
        return semver.parse(text, normalize=normalize)
    except semver.SemverError as error:
        raise EvaluationError(str(error)) from None


def _is_version(text: str, normalize: bool = False) -> bool:
    try:
        semver.parse(text, normalize=normalize)
    except semver.SemverError:
        return False
    return True


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "string_to_semver": _read,
    "string_bool_to_semver": _read,
    "is_semver_string": _is_version,
    "is_semver_string_bool": _is_version,
    "semver_is_greater_than": lambda one, other: one > other,
    "semver_is_less_than": lambda one, other: one < other,
    "semver_compare_to": lambda one, other: (one > other) - (one < other),
    "semver_major": lambda version: version.major,
    "semver_minor": lambda version: version.minor,
    "semver_patch": lambda version: version.patch,
}
