"""Constraints of a claim over the devices it gets, and taints of devices.

Source: dynamic-resource-allocation/structured/internal/incubating/{allocator_incubating,constraint}.go.
"""

from typing import Any, Protocol

from conformance.cluster.embedded.scheduler.model import AllocationError, Candidate, Json, Request, describe

_SCALARS = ("string", "int", "bool", "version")


class Constraint(Protocol):
    """A condition on the devices chosen so far."""

    def add(self, request: Request, candidate: Candidate) -> bool:
        """Whether the device may join; it is then counted."""
        ...

    def remove(self, request: Request, candidate: Candidate) -> None:
        """Take back the last device that was counted."""
        ...


class AttributeConstraint:
    """matchAttribute (all devices have one value) or distinctAttribute (no two have the same)."""

    def __init__(self, attribute: str, requests: list[str], *, distinct: bool) -> None:
        self._attribute = attribute
        self._requests = requests
        self._distinct = distinct
        self._values: list[tuple[str, Any]] = []

    def _applies(self, request: Request) -> bool:
        return not self._requests or request.named_in(self._requests)

    def add(self, request: Request, candidate: Candidate) -> bool:
        """See Constraint."""
        if not self._applies(request):
            return True
        value = lookup(candidate, self._attribute)
        if value is None:
            return False
        fits = value not in self._values if self._distinct else all(value == other for other in self._values)
        if fits:
            self._values.append(value)
        return fits

    def remove(self, request: Request, candidate: Candidate) -> None:  # noqa: ARG002
        """See Constraint."""
        if self._applies(request):
            self._values.pop()


def constraints_of(claim: Json) -> list[Constraint]:
    """The claim's constraints, nothing counted yet. Raises AllocationError for an unknown kind."""
    constraints: list[Constraint] = []
    for number, spec in enumerate(claim["spec"]["devices"].get("constraints") or ()):
        requests = spec.get("requests") or []
        if spec.get("matchAttribute"):
            constraints.append(AttributeConstraint(spec["matchAttribute"], requests, distinct=False))
        elif spec.get("distinctAttribute"):
            constraints.append(AttributeConstraint(spec["distinctAttribute"], requests, distinct=True))
        else:
            raise AllocationError(
                f"claim {describe(claim)}, constraint #{number}: empty constraint (unsupported constraint type?)"
            )
    return constraints


def lookup(candidate: Candidate, attribute: str) -> tuple[str, Any] | None:
    """Type and value of a fully qualified attribute; without a domain in the slice, it is in the driver's."""
    attributes = candidate.device.get("attributes") or {}
    domain, _, identifier = attribute.partition("/")
    value = attributes.get(attribute)
    if value is None and domain == candidate.id.driver:
        value = attributes.get(identifier)
    if value is None:
        return None
    return next(((kind, value[kind]) for kind in _SCALARS if value.get(kind) is not None), None)


def taints_forbid(candidate: Candidate, request: Request) -> bool:
    """Whether a taint that keeps pods away is not tolerated by the request."""
    tolerations = request.spec.get("tolerations") or ()
    return any(
        taint.get("effect") in ("NoSchedule", "NoExecute")
        and not any(tolerates(toleration, taint) for toleration in tolerations)
        for taint in candidate.device.get("taints") or ()
    )


def tolerates(toleration: Json, taint: Json) -> bool:
    """Whether a toleration of a request covers a taint of a device."""
    if toleration.get("effect") and toleration["effect"] != taint["effect"]:
        return False
    if toleration.get("key") and toleration["key"] != taint["key"]:
        return False
    operator = toleration.get("operator") or "Equal"
    if operator == "Exists":
        return True
    return operator == "Equal" and (toleration.get("value") or "") == (taint.get("value") or "")
