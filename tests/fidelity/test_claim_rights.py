"""A driver's service account is refused what it may not change in a claim's status, in the same words by both."""

import dataclasses
from collections.abc import Callable, Iterator

import pytest

from conformance.cluster.api import Object
from conformance.cluster.control_plane.driver import NAMESPACE, DriverIdentity
from tests.fidelity.compare import Answer
from tests.fidelity.model import Request, create, patch, update
from tests.fidelity.requests.claim_spec import FULL
from tests.fidelity.requests.claim_status import STATUS
from tests.fidelity.sides import ApiServers, Side

NAME = "rights"
ALLOCATED = {key: STATUS[key] for key in ("allocation", "reservedFor")}
Ask = Callable[[Request], tuple[Answer, Answer]]


@pytest.fixture(scope="module")
def drivers(api_servers: ApiServers) -> Iterator[dict[str, Ask]]:
    """Ways to ask both as the driver on node-a, on node-b, and as the administrator ("")."""
    real = api_servers.real
    identity = DriverIdentity(real.api)
    identity.create()
    asking: dict[str, Ask] = {"": lambda request: _ask(api_servers.sides, request)}
    for node in ("node-a", "node-b"):
        real.api.create("nodes", {"metadata": {"name": node}})
        access = dataclasses.replace(real.access, token=identity.token(node))
        sides = Side(api_servers.embedded.access("driver", node)), Side(access)
        asking[node] = lambda request, sides=sides: _ask(sides, request)  # type: ignore[misc]
    yield asking
    for node in ("node-a", "node-b"):
        real.api.delete("nodes", node)
    real.api.delete("namespaces", NAMESPACE)


def _ask(sides: tuple[Side, Side], request: Request) -> tuple[Answer, Answer]:
    return sides[0].ask(request), sides[1].ask(request)


def _status(status: Object) -> Request:
    obj = {"metadata": {"name": NAME}, "status": status}
    return update("resourceclaims", NAME, obj, "default", subresource="status")


def _patched(**status: object) -> Request:
    return patch("resourceclaims", NAME, {"status": status}, "default", subresource="status")


STEPS: list[tuple[str, Request, int, str]] = [
    ("", create("resourceclaims", {"metadata": {"name": NAME}, "spec": FULL}, "default"), 201, ""),
    ("node-a", _status(ALLOCATED), 422, 'resource="resourceclaims/binding", verb="update" permission: '),
    ("", _status(ALLOCATED), 200, ""),
    ("node-b", _status(STATUS), 422, 'resource="resourceclaims/driver", verb="[arbitrary-node:update]" permission: '),
    ("node-a", _status(STATUS), 200, ""),
    ("node-b", _patched(devices=None), 422, 'verb="[arbitrary-node:patch]" permission: '),
    ("node-a", _patched(devices=None), 200, ""),
    ("node-a", _patched(reservedFor=None), 422, 'resource="resourceclaims/binding", verb="patch" permission: '),
    ("node-a", _status({}), 422, "changing status.allocation or status.reservedFor requires"),
]


def test_both_refuse_the_same_in_the_same_words(drivers: dict[str, Ask]) -> None:
    for who, request, code, text in STEPS:
        ours, theirs = drivers[who](request)
        assert (ours.code, theirs.code) == (code, code), (who, str(request), ours.body, theirs.body)
        if text:
            assert text in ours.body["message"]
            assert ours.body["message"] == theirs.body["message"]
