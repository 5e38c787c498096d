"""Claims that hypothesis makes up out of what a driver offers; it makes those smaller that show a fault."""

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from conformance.checks.allocation.expressions import common_attributes, expressions
from conformance.target import Target
from conformance.target.model import ValidConfig

Object = dict[str, Any]

_MOST_REQUESTS = 3
_MOST_OF_ONE = 4


@dataclass(frozen=True)
class Offer:
    """What claims are made up of: a valid claim, the devices that it may get, and how many such claims there can be."""

    target: Target
    devices: Sequence[Object]
    room: int

    @property
    def plain(self) -> bool:
        """Whether any device of its class will do for the driver, in any number: it asks for no claims of its own."""
        return self.target.file.claim.spec is None

    @property
    def takes_all(self) -> bool:
        """Whether a valid claim takes all devices."""
        requests = self.target.claim_spec()["devices"]["requests"]
        return any((request.get("exactly") or {}).get("allocationMode") == "All" for request in requests)


@dataclass(frozen=True)
class Drawn:
    """A claim that was made up, and how it is used: by so many pods, with so many containers each."""

    spec: Object
    pods: int = 1
    containers: int = 1
    configs: Sequence[ValidConfig] = field(default_factory=tuple)


@st.composite
def claims(draw: st.DrawFn, offer: Offer) -> Drawn:
    """A claim that is valid for the driver, whether or not there are devices for it."""
    base = offer.target.claim_spec()["devices"]
    copies = 1 if offer.takes_all else draw(st.integers(1, min(_MOST_REQUESTS, offer.room)))
    requests = [_named(copy.deepcopy(request), number) for number in range(copies) for request in base["requests"]]
    for request in requests:
        _narrow(draw, request, offer, len(requests))
    config = [_for_copy(entry, number) for number in range(copies) for entry in base.get("config", ())]
    configs = [] if config else _configured(draw, offer, [request["name"] for request in requests])
    config += [entry for _, entry in configs]
    devices: Object = {"requests": requests} | ({"config": config} if config else {})
    if constraints := [*base.get("constraints", ()), *_constrained(draw, offer)]:
        devices["constraints"] = constraints
    pods = draw(st.integers(1, 2)) if offer.target.file.claim.shareable else 1
    return Drawn({"devices": devices}, pods, draw(st.integers(1, 2)), [config for config, _ in configs])


def _named(request: Object, number: int) -> Object:
    return request | {"name": _name(request["name"], number)}


def _name(name: str, number: int) -> str:
    request, slash, subrequest = name.partition("/")
    return f"{request[:55]}-{number}{slash}{subrequest}" if number else name


def _for_copy(entry: Object, number: int) -> Object:
    """A config of the valid claim for the requests with this number; one for all requests stands there once."""
    names = entry.get("requests")
    return {**entry, "requests": [_name(name, number) for name in names]} if names else entry


def _narrow(draw: st.DrawFn, request: Object, offer: Offer, requests: int) -> None:
    """Let a request choose, and let it want several devices where the driver minds neither."""
    wish = request.get("exactly")
    if wish is None or offer.takes_all:
        return
    known = expressions(offer.target.driver_name, offer.devices)
    for expression in draw(st.lists(_condition(known), max_size=2, unique=True)):
        wish.setdefault("selectors", []).append({"cel": {"expression": expression}})
    room = offer.room // requests
    if offer.plain and room > 1:
        count = draw(st.integers(1, min(_MOST_OF_ONE, room)))
        if count > 1:
            wish["count"] = count
        elif requests == 1 and len(offer.devices) <= room and draw(st.booleans()):
            wish["allocationMode"] = "All"


def _condition(known: Sequence[str]) -> st.SearchStrategy[str]:
    one = st.sampled_from(known)
    return st.one_of(one, st.builds("{} && {}".format, one, one), st.builds("{} || !({})".format, one, one))


def _configured(draw: st.DrawFn, offer: Offer, names: Sequence[str]) -> list[tuple[ValidConfig, Object]]:
    """Configs of the driver file for some of the requests: at most one for each, so that none overrides another."""
    valid = offer.target.file.claim.configs.valid
    if not valid or not draw(st.booleans()):
        return []
    chosen = {name: draw(st.integers(-1, len(valid) - 1)) for name in names}
    found = []
    for index, config in enumerate(valid):
        own = [name for name, number in chosen.items() if number == index]
        if own:
            opaque = {"driver": offer.target.driver_name, "parameters": config.parameters}
            found.append((config, {"requests": own, "opaque": opaque}))
    return found


def _constrained(draw: st.DrawFn, offer: Offer) -> list[Object]:
    names = common_attributes(offer.target.driver_name, offer.devices)
    if not offer.plain or not names or not draw(st.booleans()):
        return []
    return [{"matchAttribute": draw(st.sampled_from(names))}]
