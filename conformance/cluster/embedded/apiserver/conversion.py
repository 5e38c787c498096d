"""Versions of one kind: how an object of a served version becomes one of the stored version, and back."""

from collections.abc import Callable
from dataclasses import dataclass

from conformance.cluster.embedded.apiserver.objects import Object


def _same(obj: Object) -> Object:
    return obj


@dataclass(frozen=True)
class Conversion:
    """To the stored layout and from it. `apiVersion` is not their concern. Neither changes its argument."""

    to_stored: Callable[[Object], Object] = _same
    from_stored: Callable[[Object], Object] = _same


SAME = Conversion()
