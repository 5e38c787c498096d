"""The life of one pod with a claim, and of the next with the same device: several checks look at it, each at a part.

All that is asked is what everybody sees through the API: objects, events, and what a container sees.
"""

from collections.abc import Sequence

from conformance.checks.allocation.attribute import selector_for
from conformance.checks.publishing.pool import pools_of
from conformance.checks.start import wait_prepared, wait_running
from conformance.cluster import Allocated, Claim, Cluster, Pod, Telling, seen_within, wait_for
from conformance.verdict import Inconclusive, NotApplicable

FIRST, OTHER, SECOND = "first", "other", "second"
_ALLOCATED_WITHIN = 30.0
_GONE_WITHIN = 60.0


class Life:
    """Each step is taken once, when the first check asks for it; it takes as long as it has to for the last."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self._pods: dict[str, Pod] = {}
        self._held: Sequence[Allocated] = ()
        self._ran = False
        self._gone: bool | None = None

    def first(self) -> Pod:
        """A pod of two containers, of which one uses the claim."""
        if FIRST not in self._pods:
            backend = self.cluster.backend
            image, command = backend.image, list[str]()
            if isinstance(backend, Telling):
                image, command = backend.telling_image, list(backend.telling_command)
            self._make("beside.yaml", FIRST, image=image, command=command)
        return self._pods[FIRST]

    def claim(self) -> Claim:
        """The claim of that pod."""
        return self.first().claim("devices")

    def allocated(self) -> Sequence[Allocated]:
        """The devices of that claim, [] when it has got none in time."""
        self._held = self._held or seen_within(self.claim().devices, _ALLOCATED_WITHIN)
        return self._held

    def runs(self) -> bool:
        """Whether that pod gets to run."""
        self._ran = self._ran or wait_running(self.first(), self.cluster.target.file.limits.pod_running)
        return self._ran

    def ended(self) -> bool:
        """Whether that pod goes once it is deleted. Raises WaitTimeout when one without a claim does not go either."""
        if self._gone is None:
            pod = self.first()
            if not wait_prepared(pod, self.cluster.target.file.limits.pod_running):
                raise Inconclusive(f"the claim of pod {pod.name} is not prepared, so it cannot be undone")
            other = self._make("no_claim.yaml", OTHER).wait_running()
            self._ran = self._ran or pod.phase == "Running"
            for each in (pod, other):
                each.delete(wait=False)
            other.wait_gone(_GONE_WITHIN)
            self._gone = seen_within(pod.is_gone, _GONE_WITHIN)
        return self._gone

    def second(self) -> Pod:
        """A pod whose claim asks for a device of the first claim, as far as attributes tell it from others.

        Raises Inconclusive while the first one is there.
        """
        held = self.allocated()
        if not self.ended():
            raise Inconclusive("the first pod does not go, so its device is not free")
        wait_for(self._is_free, "the claim of the pod that has ended to be gone", timeout=_GONE_WITHIN)
        expression = self._one_of(held)
        claim = self.cluster.target.claim_spec(selectors=[expression] if expression else [])
        return self._make("one_pod.yaml", SECOND, claim=claim)

    @property
    def has_run(self) -> bool:
        """Whether the first pod was seen to run."""
        return self._ran

    def need_calls_of(self, method: str) -> None:
        """Go on only where the kubelet calls the driver for the claim. Raises NotApplicable."""
        allocation = (self.claim().get().get("status") or {}).get("allocation") or {}
        rows = (allocation.get("devices") or {}).get("results") or ()
        skipped = [row for row in rows if {method, "*"} & set(row.get("skipNodeOperations") or ())]
        if skipped:
            raise NotApplicable(f"the driver has published that {method} is not called for its devices")

    def _make(self, manifest: str, name: str, **variables: object) -> Pod:
        self._pods[name] = self.cluster.apply(manifest, name=name, **variables).pod(name)
        return self._pods[name]

    def _is_free(self) -> bool:
        return not self.cluster.api.list("resourceclaims", self.cluster.namespace)["items"]

    def _one_of(self, held: Sequence[Allocated]) -> str:
        """A CEL expression for the one device that was held, "" where it is not one, or nothing tells it apart."""
        names = {(row.pool, row.device) for row in held}
        rows = [(pool.name, device) for pool in pools_of(self.cluster.slices()) for device in pool.devices]
        mine = [device for pool, device in rows if (pool, device["name"]) in names]
        others = [device for pool, device in rows if (pool, device["name"]) not in names]
        return selector_for(self.cluster.target.driver_name, mine[0], others) if len(mine) == 1 else ""
