"""Names in CDI: `vendor/class=device` (pkg/parser/parser.go). Texts of errors are the library's."""

import re

from conformance.cluster.cdi.errors import CdiError, quoted

_BAD_INNER = re.compile(r"[^A-Za-z0-9_.-]")
_BAD_INNER_DEVICE = re.compile(r"[^A-Za-z0-9_.:-]")
_ALPHANUMERIC = re.compile(r"[A-Za-z0-9]")
_LETTER = re.compile(r"[A-Za-z]")


def split_kind(kind: str) -> tuple[str, str]:
    """(vendor, class) of a kind; no vendor where it is not `vendor/class`."""
    vendor, slash, class_name = kind.partition("/")
    return (vendor, class_name) if vendor and slash and class_name else ("", kind)


def split_device(cdi_id: str) -> tuple[str, str, str]:
    """(vendor, class, device) of a fully qualified name. Raises CdiError where it is not one."""
    qualifier, equals, device = cdi_id.partition("=")
    vendor, class_name = split_kind(qualifier)
    if cdi_id.startswith("/") or not equals or not device or not vendor:
        raise CdiError(f"unqualified device {quoted(cdi_id)}, missing vendor")
    try:
        check_vendor(vendor)
        check_class(class_name)
        check_device(device)
    except CdiError as error:
        raise CdiError(f"invalid device {quoted(cdi_id)}: {error}") from None
    return vendor, class_name, device


def check_vendor(vendor: str) -> None:
    """Raises CdiError where it is no vendor name."""
    _check_qualifier("vendor", vendor)


def check_class(class_name: str) -> None:
    """Raises CdiError where it is no class name."""
    _check_qualifier("class", class_name)


def _check_qualifier(what: str, name: str) -> None:
    if not name:
        raise CdiError(f"invalid {what}. empty name")
    if not _LETTER.match(name[0]):
        raise CdiError(f"invalid {what}. {quoted(name)}, should start with letter")
    bad = _BAD_INNER.search(name[1:-1])
    if bad:
        raise CdiError(f"invalid {what}. invalid character '{bad[0]}' in name {quoted(name)}")
    if not _ALPHANUMERIC.match(name[-1]):
        raise CdiError(f"invalid {what}. {quoted(name)}, should end with a letter or digit")


def check_device(name: str) -> None:
    """Raises CdiError where it is no device name."""
    if not name:
        raise CdiError("invalid (empty) device name")
    if not _ALPHANUMERIC.match(name[0]):
        raise CdiError(f"invalid class {quoted(name)}, should start with a letter or digit")
    bad = _BAD_INNER_DEVICE.search(name[1:-1])
    if bad:
        raise CdiError(f"invalid character '{bad[0]}' in device name {quoted(name)}")
    if not _ALPHANUMERIC.match(name[-1]):
        raise CdiError(f"invalid name {quoted(name)}, should end with a letter or digit")
