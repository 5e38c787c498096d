"""Versions of one kind: how an object of a served version becomes one of the stored version, and back."""

from collections.abc import Callable
from dataclasses import dataclass

from conformance.cluster.embedded.apiserver import conversion_events as events
from conformance.cluster.embedded.apiserver import conversion_v1beta1 as v1beta1
from conformance.cluster.embedded.apiserver.objects import Object


def _same(obj: Object) -> Object:
    return obj


def _same_path(path: str) -> str:
    return path


@dataclass(frozen=True)
class Conversion:
    """To the stored layout and from it. `apiVersion` is not their concern. Neither changes its argument.

    path: from the path of a field in the stored layout to that in the version.
    """

    to_stored: Callable[[Object], Object] = _same
    from_stored: Callable[[Object], Object] = _same
    path: Callable[[str], str] = _same_path


SAME = Conversion()
EVENT = Conversion(events.to_stored, events.from_stored)
SLICE_V1BETA1 = Conversion(v1beta1.slice_to_stored, v1beta1.slice_from_stored, v1beta1.slice_path)
CLAIM_V1BETA1 = Conversion(v1beta1.claim_to_stored, v1beta1.claim_from_stored, v1beta1.request_path)
TEMPLATE_V1BETA1 = Conversion(v1beta1.template_to_stored, v1beta1.template_from_stored, v1beta1.request_path)
