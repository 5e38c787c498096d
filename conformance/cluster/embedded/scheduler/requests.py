"""The requests of a claim, looked up and counted before the search.

Source: validateDeviceRequest in dynamic-resource-allocation/structured/internal/incubating/allocator_incubating.go.
"""

from collections.abc import Iterable, Iterator, Mapping

from conformance.cluster.embedded.scheduler import capacity, cel
from conformance.cluster.embedded.scheduler.model import (
    MAX_RESULTS,
    AllocationError,
    Candidate,
    Json,
    Request,
    describe,
)
from conformance.cluster.embedded.scheduler.nodes import matches_target
from conformance.cluster.embedded.scheduler.pools import Pool

Classes = Mapping[str, Json]


def class_names(claim: Json) -> Iterator[tuple[str, str]]:
    """Full name of each request and alternative, with the device class it names."""
    for request in claim["spec"]["devices"].get("requests") or ():
        if request.get("exactly"):
            yield request["name"], request["exactly"]["deviceClassName"]
        for sub in request.get("firstAvailable") or ():
            yield f"{request['name']}/{sub['name']}", sub["deviceClassName"]


class Requests:
    """All alternatives of all requests of a claim; one that asks for all devices has them listed.

    Raises AllocationError when the claim cannot be allocated on any node.
    """

    def __init__(self, claim: Json, classes: Classes, pools: list[Pool], node: Json) -> None:
        self.claim = claim
        self._classes = classes
        self._node = node
        self.alternatives: list[list[Request]] = []
        least = 0
        for spec in claim["spec"]["devices"].get("requests") or ():
            self.alternatives.append(self._alternatives(spec, pools))
            least = self._within_limit(spec["name"], min(r.count for r in self.alternatives[-1]), least)

    def _within_limit(self, name: str, more: int, so_far: int) -> int:
        if so_far + more > MAX_RESULTS:
            raise AllocationError(
                f"claim {describe(self.claim)}, request {name}: adding {more} devices exceeds the claim limit of "
                f"{MAX_RESULTS}, with {so_far} already accounted for"
            )
        return so_far + more

    def _alternatives(self, spec: Json, pools: list[Pool]) -> list[Request]:
        if spec.get("exactly"):
            return [self._request(spec["name"], "", spec["exactly"], pools)]
        return [self._request(sub["name"], spec["name"], sub, pools) for sub in spec["firstAvailable"]]

    def _request(self, name: str, parent: str, spec: Json, pools: list[Pool]) -> Request:
        where = f"claim {describe(self.claim)}, request {name}"
        for number, selector in enumerate(spec.get("selectors") or ()):
            if not selector.get("cel"):
                raise AllocationError(f"{where}, selector #{number}: CEL expression empty (unsupported selector type?)")
        class_name = spec["deviceClassName"]
        if class_name not in self._classes:
            missing = f'deviceclass.resource.k8s.io "{class_name}" not found'
            raise AllocationError(f"{where}: could not retrieve device class {class_name}: {missing}")
        request = Request(name, parent, spec, self._classes[class_name], count=int(spec.get("count") or 1))
        if request.wants_all:
            request.all_devices = self._all_devices(request, pools, where)
            request.count = len(request.all_devices)
        return request

    def _all_devices(self, request: Request, pools: list[Pool], where: str) -> list[Candidate]:
        devices = []
        for pool in pools:
            if pool.incomplete:
                raise AllocationError(
                    f"{where}: asks for all devices, but resource pool {pool.id} is currently being updated"
                )
            if pool.invalid:
                raise AllocationError(
                    f"{where}: asks for all devices, but resource pool {pool.id} is currently invalid"
                )
            devices += [c for c in pool.candidates if self.selects(request, c) and _large_enough(request, c)]
        return devices

    def selects(self, request: Request, candidate: Candidate) -> bool:
        """Whether class, request and node selection allow the device. Raises AllocationError for a CEL error."""
        return self.matches(request, candidate) and self.reaches(candidate)

    def matches(self, request: Request, candidate: Candidate) -> bool:
        """Whether the selectors of class and request select the device. Raises AllocationError for a CEL error."""
        name = request.device_class["metadata"]["name"]
        of_class = request.device_class["spec"].get("selectors") or ()
        of_request = request.spec.get("selectors") or ()
        return _all_match(of_class, candidate, f"class {name}") and _all_match(
            of_request, candidate, f"claim {describe(self.claim)}"
        )

    def reaches(self, candidate: Candidate) -> bool:
        """Whether the device is for the node, which its slice may leave to it."""
        return candidate.target is not candidate.device or matches_target(self._node, candidate.device)


def _all_match(selectors: Iterable[Json], candidate: Candidate, where: str) -> bool:
    for number, selector in enumerate(selectors):
        try:
            program = cel.compile(selector["cel"]["expression"])
        except cel.CelError as error:
            raise AllocationError(f"{where}: selector #{number}: CEL compile error: {error}") from None
        try:
            matches = candidate.matches(program)
        except cel.CelError as error:
            raise AllocationError(f"{where}: selector #{number} on device {candidate.id}: {error}") from None
        if not matches:
            return False
    return True


def _large_enough(request: Request, candidate: Candidate) -> bool:
    taken = capacity.consumption(request, candidate)
    return taken is not None and capacity.fits(candidate, taken, {}, {})
