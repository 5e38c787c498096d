"""Trying a claim that was made up, from its creation until nothing is left of it."""

import itertools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import yaml

from conformance.cluster import Answer, Claim, Cluster, Pod, seen_within, wait_for
from conformance.cluster.api import NotFound
from conformance.target.expectation import env_unmet
from conformance.verdict import Unjudged

if TYPE_CHECKING:
    from conformance.checks.allocation.drawing import Drawn

Object = dict[str, Any]

_DECIDED = 20.0  # seconds for the scheduler
_ASKED_AGAIN = 1.0  # seconds in which a driver that failed may do better


class Wrong(Exception):
    """The driver did wrong with a claim. `requirement` is what it breaks."""

    def __init__(self, requirement: str, why: str) -> None:
        super().__init__(why)
        self.requirement = requirement


class Trying:
    """Tries claims one after the other, in a check's namespace. allocated: how many of them had devices for them."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.allocated = 0
        self._numbers = itertools.count()

    def try_out(self, drawn: "Drawn") -> None:
        """Use the claim, where there are devices for it, and give it back. Raises Wrong."""
        with self._created(drawn) as (claim, pods):
            if not self._is_allocated(claim, pods):
                return
            self.allocated += 1
            self._prepared(claim)
            for pod in pods:
                pod.wait_running()
                self._sees(drawn, claim, pod)
            for pod in pods:
                pod.delete()
            left = self.cluster.node.cdi.devices_for(claim.uid)
            if left:
                raise Wrong("UNP-07", f"after its pods are gone, {', '.join(left)} is left of the claim")

    @contextmanager
    def _created(self, drawn: "Drawn") -> Iterator[tuple[Claim, Sequence[Pod]]]:
        name = f"drawn-{next(self._numbers)}"
        head: Object = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": name}}
        claim = Claim(self.cluster, self.cluster.create({**head, "spec": drawn.spec}))
        pods = []
        try:
            for number in range(drawn.pods):
                obj = self._pod(f"{name}-{number}", name, drawn.containers)
                pods.append(Pod(self.cluster, self.cluster.create(obj)))
            yield claim, pods
        finally:
            for pod in pods:
                with suppress(NotFound):
                    pod.delete(wait=False)
            for pod in pods:
                with suppress(Unjudged):  # the check's own clean-up goes on with it
                    pod.wait_gone()
            with suppress(NotFound):
                claim.delete()

    def _pod(self, name: str, claim: str, containers: int) -> Object:
        uses = {"claims": [{"name": "devices"}]}
        spec = {
            "nodeSelector": {"kubernetes.io/hostname": self.cluster.node.hostname},
            "terminationGracePeriodSeconds": 1,
            "resourceClaims": [{"name": "devices", "resourceClaimName": claim}],
            "containers": [
                {"name": f"main-{number}", "image": self.cluster.backend.image, "resources": uses}
                for number in range(containers)
            ],
        }
        return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": spec}

    def _is_allocated(self, claim: Claim, pods: Sequence[Pod]) -> bool:
        wait_for(
            lambda: claim.devices() or _unschedulable(pods[0]),
            f"the scheduler to decide about claim {claim.name}",
            timeout=_DECIDED,
        )
        return bool(claim.devices())

    def _prepared(self, claim: Claim) -> None:
        answer = self._answer(claim)
        if answer.error:
            raise Wrong("PREP-21", f"Prepare fails: {answer.error}")
        own = {(row.pool, row.device) for row in claim.devices(self.cluster.target.driver_name)}
        given = {(device.pool_name, device.device_name) for device in answer.devices}
        if given - own:
            raise Wrong("PREP-10", f"the answer names {sorted(given - own)}, and allocated is {sorted(own)}")
        lost = self.cluster.node.cdi.unresolved(answer.cdi_ids)
        if lost:
            raise Wrong("PREP-08", f"nothing defines {', '.join(lost)} of the answer")

    def _answer(self, claim: Claim) -> Answer:
        """The answer to the kubelet, or where that was bad, to somebody who asks again."""
        if self.cluster.node.sees_calls:
            answers = partial(self.cluster.answers, "NodePrepareResources", claim.uid)
            found = wait_for(answers, f"claim {claim.name} to be prepared", timeout=60)[-1]
            if not found.error:
                return found
        again: list[Answer] = []

        def succeeds() -> bool:
            again.append(self.cluster.node.prepare(claim.ref))
            return not again[-1].error

        seen_within(succeeds, _ASKED_AGAIN)
        return again[-1]

    def _sees(self, drawn: "Drawn", claim: Claim, pod: Pod) -> None:
        target = self.cluster.target
        if target.driver.injection != "cdi":
            return
        facts = [device.facts(claim.uid) for device in claim.devices(target.driver_name)]
        for container in pod.get()["spec"]["containers"]:
            view = pod.container(container["name"])
            unmet = target.container_expectation.unmet(facts, **view.seen())
            if unmet:
                raise Wrong("PREP-21", f"a container of pod {pod.name} does not see {', '.join(unmet)}")
            unmet = [text for config in drawn.configs for text in env_unmet(config.env, view.env, {})]
            if unmet:
                raise Wrong("PREP-23", f"a container of pod {pod.name} does not see of the configs {', '.join(unmet)}")


def _unschedulable(pod: Pod) -> bool:
    conditions = (pod.get().get("status") or {}).get("conditions") or ()
    return any(row["type"] == "PodScheduled" and row["status"] == "False" for row in conditions)


def as_yaml(drawn: "Drawn") -> str:
    """The claim's spec, and how it is used, for people."""
    text: str = yaml.safe_dump(drawn.spec, sort_keys=False)
    return f"# used by {drawn.pods} pod(s) with {drawn.containers} container(s) each\n{text}"
