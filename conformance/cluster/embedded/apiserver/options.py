"""The options of a write, from its query (CreateOptions, UpdateOptions, PatchOptions of meta/v1)."""

from collections.abc import Iterator, Sequence

from conformance.cluster.embedded.apiserver.field_errors import FieldError, forbidden, not_supported, required, too_long
from conformance.cluster.embedded.apiserver.request import RequestInfo
from conformance.cluster.embedded.apiserver.status import invalid_options

_VALIDATIONS = ("", "Ignore", "Strict", "Warn")
_MANAGER_CHARACTERS = 128


def check_options(info: RequestInfo, name: str, *, apply: bool = False) -> None:
    """Raises Invalid for options that make no sense; `name` is what the options are called."""
    errors = list(_errors(info, patch=name == "PatchOptions", apply=apply))
    if errors:
        raise invalid_options(name, errors)


def _errors(info: RequestInfo, *, patch: bool, apply: bool) -> Iterator[FieldError]:
    manager, validation = info.query.get("fieldManager", ""), info.query.get("fieldValidation", "")
    if patch and not apply and "force" in info.query:
        yield forbidden("force", "may not be specified for non-apply patch")
    if apply and not manager:
        yield required("fieldManager", "is required for apply patch")
    if len(manager) > _MANAGER_CHARACTERS:
        yield too_long("fieldManager", _MANAGER_CHARACTERS)
    yield from dry_run_errors([info.query["dryRun"]] if info.query.get("dryRun") else [])
    if validation not in _VALIDATIONS:
        yield not_supported("fieldValidation", validation, _VALIDATIONS)


def dry_run_errors(values: Sequence[str]) -> Iterator[FieldError]:
    """The only stage that a dry run can leave out is all of them."""
    if any(value != "All" for value in values):
        yield not_supported("dryRun", list(values), ["All"])
